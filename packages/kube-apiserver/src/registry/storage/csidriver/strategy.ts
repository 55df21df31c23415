import { specStrategy } from '../../spec-strategy.ts';

/** CSIDriver: what its spec's endpoint does beyond the generic registry. */
export const csiDriverStrategy = specStrategy({ generation: 'spec', allowUnconditionalUpdate: false });
