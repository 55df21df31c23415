import { specStrategy } from '../../spec-strategy.ts';

/** Lease: what its spec's endpoint does beyond the generic registry. */
export const leaseStrategy = specStrategy({ allowCreateOnUpdate: true, allowUnconditionalUpdate: false });
