import { zeroedField } from '../../field-readers.ts';
import { replicationControllerStrategy, replicationControllerStatusStrategy } from './strategy.ts';
import { defaultReplicationController } from './defaults.ts';
import { printReplicationController } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves replicationcontrollers with status and scale. */
export const replicationControllerResource = storedResource({
  group: '',
  plural: 'replicationcontrollers',
  fields: { 'status.replicas': zeroedField('status.replicas', '0') },
  strategy: (context) => replicationControllerStrategy(context.capabilities),
  status: replicationControllerStatusStrategy,
  scale: 'map',
  defaults: { v1: defaultReplicationController },
  row: printReplicationController,
});
