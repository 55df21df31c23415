import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** StatefulSet: what its spec's endpoint does beyond the generic registry. */
export const statefulSetStrategy = specStrategy({ generation: 'spec', status: true });

/** StatefulSet's status endpoint. */
export const statefulSetStatusStrategy = statusStrategy();
