import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** ReplicationController: what its spec's endpoint does beyond the generic registry. */
export const replicationControllerStrategy = specStrategy({ generation: 'spec', status: true, garbageCollectionPolicy: 'OrphanDependents' });

/** ReplicationController's status endpoint. */
export const replicationControllerStatusStrategy = statusStrategy();
