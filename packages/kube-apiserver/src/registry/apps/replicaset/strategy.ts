import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateReplicaStatus } from '../replica-status.ts';
import { validateReplicaSet, validateReplicaSetUpdate } from './validation.ts';

/** ReplicaSet: what its spec's endpoint does beyond the generic registry. */
export const replicaSetStrategy = specStrategy({ generation: 'spec', status: true, ...validated({ create: validateReplicaSet, update: validateReplicaSetUpdate }) });

/** ReplicaSet's status endpoint. */
export const replicaSetStatusStrategy = statusStrategy({ hooks: validated({ update: validateReplicaStatus }) });
