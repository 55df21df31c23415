import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** Ingress: what its spec's endpoint does beyond the generic registry. */
export const ingressStrategy = specStrategy({ generation: 'spec', status: true });

/** Ingress's status endpoint. */
export const ingressStatusStrategy = statusStrategy();
