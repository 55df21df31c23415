import { specStrategy } from '../../spec-strategy.ts';

/** CSINode: what its spec's endpoint does beyond the generic registry. */
export const csiNodeStrategy = specStrategy({ allowUnconditionalUpdate: false });
