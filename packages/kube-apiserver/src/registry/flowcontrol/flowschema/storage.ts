import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { flowSchemaStrategy, flowSchemaStatusStrategy } from './strategy.ts';

/** Serves flowschemas with status. */
export const flowSchemaStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'flowcontrol.apiserver.k8s.io',
    plural: 'flowschemas',
    strategy: flowSchemaStrategy,
  });
  return [
    ['flowschemas', store],
    ['flowschemas/status', createStatusStorage(store, flowSchemaStatusStrategy)],
  ];
};
