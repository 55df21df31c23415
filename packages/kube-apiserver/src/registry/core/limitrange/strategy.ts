import { specStrategy } from '../../spec-strategy.ts';

/** LimitRange: what its spec's endpoint does beyond the generic registry. */
export const limitRangeStrategy = specStrategy({ allowCreateOnUpdate: true });
