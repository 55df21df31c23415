import { specStrategy } from '../../spec-strategy.ts';

/** CSIStorageCapacity: what its spec's endpoint does beyond the generic registry. */
export const csiStorageCapacityStrategy = specStrategy({ allowUnconditionalUpdate: false });
