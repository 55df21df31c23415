import { createStatusStorage } from '@kubechain/apiserver';
import { textField } from '../../field-readers.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { serviceHooks } from './hooks.ts';
import { serviceProxy } from './proxy.ts';
import { serviceStatusStrategy, serviceStrategy } from './strategy.ts';

/** Serves services with proxy and status. */
export const serviceStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'services',
    strategy: serviceStrategy,
    returnDeletedObject: true,
    hooks: serviceHooks(context.serviceAllocators, () => context.storeOf('', 'endpoints')),
    fields: { 'spec.clusterIP': textField('spec.clusterIP'), 'spec.type': textField('spec.type') },
  });
  return [
    ['services', store],
    [
      'services/proxy',
      serviceProxy({
        services: store,
        endpoints: () => context.storeOf('', 'endpoints'),
        pods: () => context.storeOf('', 'pods'),
        random: Math.random,
      }),
    ],
    ['services/status', createStatusStorage(store, serviceStatusStrategy)],
  ];
};
