import { createStatusStorage } from '@kubechain/apiserver';
import { zeroedField } from '../../field-readers.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { nodeProxy } from './proxy.ts';
import { nodeStatusStrategy, nodeStrategy } from './strategy.ts';

/** Serves nodes with proxy and status. */
export const nodeStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'nodes',
    strategy: nodeStrategy,
    fields: { 'spec.unschedulable': zeroedField('spec.unschedulable', 'false') },
  });
  return [
    ['nodes', store],
    ['nodes/proxy', nodeProxy({ nodes: () => store, kubelets: context.streaming.kubelets })],
    ['nodes/status', createStatusStorage(store, nodeStatusStrategy)],
  ];
};
