import { specStrategy } from '../../spec-strategy.ts';

/** Secret: what its spec's endpoint does beyond the generic registry. */
export const secretStrategy = specStrategy();
