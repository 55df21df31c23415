import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateReplicaStatus } from '../replica-status.ts';

/** ReplicaSet: what its spec's endpoint does beyond the generic registry. */
export const replicaSetStrategy = specStrategy({ generation: 'spec', status: true });

/** ReplicaSet's status endpoint. */
export const replicaSetStatusStrategy = statusStrategy({ hooks: validated({ update: validateReplicaStatus }) });
