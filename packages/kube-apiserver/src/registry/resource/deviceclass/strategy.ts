import { specStrategy } from '../../spec-strategy.ts';

/** DeviceClass: what its spec's endpoint does beyond the generic registry. */
export const deviceClassStrategy = specStrategy({ generation: 'spec' });
