import type { StorageProvider } from '../../storage-provider.ts';
import { runtimeClassStrategy } from './strategy.ts';

/** Serves runtimeclasses. */
export const runtimeClassStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'node.k8s.io',
    plural: 'runtimeclasses',
    anyFinalizers: true,
    strategy: runtimeClassStrategy,
  });
  return [['runtimeclasses', store]];
};
