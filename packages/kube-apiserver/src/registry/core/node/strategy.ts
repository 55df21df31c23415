import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** Node: what its spec's endpoint does beyond the generic registry. */
export const nodeStrategy = specStrategy({ status: true });

/** Node's status endpoint. */
export const nodeStatusStrategy = statusStrategy();
