import { createStatusStorage } from '@kubechain/apiserver';
import { connectSubresource, proxyMethods } from '../../connect.ts';
import { textField } from '../../field-readers.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { serviceHooks } from './hooks.ts';
import { serviceStatusStrategy, serviceStrategy } from './strategy.ts';

/** Serves services with proxy and status. */
export const serviceStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '', plural: 'services', strategy: serviceStrategy, returnDeletedObject: true,
    hooks: serviceHooks(context.serviceAllocators, () => context.storeOf('', 'endpoints')),
    fields: { 'spec.clusterIP': textField('spec.clusterIP'), 'spec.type': textField('spec.type') },
  });
  return [
    ['services', store],
    ['services/proxy', connectSubresource({ kind: 'ServiceProxyOptions', namespaced: true, methods: proxyMethods, target: async (request, name) => { await store.get(request, name, {}); return `service ${name}`; } })],
    ['services/status', createStatusStorage(store, serviceStatusStrategy)],
  ];
};
