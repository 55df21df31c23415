import { validateReplicaStatus } from '../../apps/replica-status.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateReplicationController } from './validation.ts';

/** ReplicationController: what its spec's endpoint does beyond the generic registry. */
export const replicationControllerStrategy = specStrategy({ generation: 'spec', status: true, garbageCollectionPolicy: 'OrphanDependents', ...validated({ create: validateReplicationController, update: validateReplicationController }) });

/** ReplicationController's status endpoint. */
export const replicationControllerStatusStrategy = statusStrategy({ hooks: validated({ update: validateReplicaStatus }) });
