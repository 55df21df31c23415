import { specStrategy } from '../../spec-strategy.ts';

/** StorageClass: what its spec's endpoint does beyond the generic registry. */
export const storageClassStrategy = specStrategy();
