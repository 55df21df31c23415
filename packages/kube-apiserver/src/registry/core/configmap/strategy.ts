import { specStrategy } from '../../spec-strategy.ts';

/** ConfigMap: what its spec's endpoint does beyond the generic registry. */
export const configMapStrategy = specStrategy();
