import { specStrategy } from '../../spec-strategy.ts';

/** RuntimeClass: what its spec's endpoint does beyond the generic registry. */
export const runtimeClassStrategy = specStrategy({ allowCreateOnUpdate: true, allowUnconditionalUpdate: false });
