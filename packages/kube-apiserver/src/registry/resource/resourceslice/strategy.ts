import { specStrategy } from '../../spec-strategy.ts';

/** ResourceSlice: what its spec's endpoint does beyond the generic registry. */
export const resourceSliceStrategy = specStrategy({ generation: 'spec' });
