import { createStatusStorage } from '@kubechain/apiserver';
import { connectSubresource, proxyMethods } from '../../connect.ts';
import { zeroedField } from '../../field-readers.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { nodeStatusStrategy, nodeStrategy } from './strategy.ts';

/** Serves nodes with proxy and status. */
export const nodeStorage: StorageProvider = (context) => {
  const store = context.store({ group: '', plural: 'nodes', strategy: nodeStrategy, fields: { 'spec.unschedulable': zeroedField('spec.unschedulable', 'false') } });
  return [
    ['nodes', store],
    ['nodes/proxy', connectSubresource({ kind: 'NodeProxyOptions', namespaced: false, methods: proxyMethods, target: async (request, name) => { await store.get(request, name, {}); return `node ${name}`; } })],
    ['nodes/status', createStatusStorage(store, nodeStatusStrategy)],
  ];
};
