import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { zeroedField } from '../../field-readers.ts';
import { replicasScale } from '../../scale.ts';
import { replicationControllerStrategy, replicationControllerStatusStrategy } from './strategy.ts';

/** Serves replicationcontrollers with status and scale. */
export const replicationControllerStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'replicationcontrollers',
    strategy: replicationControllerStrategy(context.capabilities),
    fields: { 'status.replicas': zeroedField('status.replicas', '0') },
  });
  return [
    ['replicationcontrollers', store],
    ['replicationcontrollers/status', createStatusStorage(store, replicationControllerStatusStrategy)],
    ['replicationcontrollers/scale', replicasScale(store, 'map')],
  ];
};
