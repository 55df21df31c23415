import { specStrategy } from '../../spec-strategy.ts';

/** NetworkPolicy: what its spec's endpoint does beyond the generic registry. */
export const networkPolicyStrategy = specStrategy({ generation: 'spec' });
