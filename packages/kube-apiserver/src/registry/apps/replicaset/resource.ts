import { replicaSetStrategy, replicaSetStatusStrategy } from './strategy.ts';
import { defaultReplicaSet } from './defaults.ts';
import { printReplicaSet } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves replicasets with status and scale. */
export const replicaSetResource = storedResource({
  group: 'apps',
  plural: 'replicasets',
  strategy: (context) => replicaSetStrategy(context.capabilities),
  status: replicaSetStatusStrategy,
  scale: 'object',
  defaults: { v1: defaultReplicaSet },
  row: printReplicaSet,
});
