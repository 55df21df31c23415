import { specStrategy } from '../../spec-strategy.ts';

/** Endpoints: what its spec's endpoint does beyond the generic registry. */
export const endpointsStrategy = specStrategy({ allowCreateOnUpdate: true });
