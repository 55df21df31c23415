import { specStrategy } from '../../spec-strategy.ts';

/** ServiceAccount: what its spec's endpoint does beyond the generic registry. */
export const serviceAccountStrategy = specStrategy();
