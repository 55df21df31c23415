import { specStrategy } from '../../spec-strategy.ts';

/** IngressClass: what its spec's endpoint does beyond the generic registry. */
export const ingressClassStrategy = specStrategy({ generation: 'spec' });
