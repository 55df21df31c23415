import type { StorageProvider } from '../../storage-provider.ts';
import { leaseStrategy } from './strategy.ts';

/** Serves leases. */
export const leaseStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'coordination.k8s.io',
    plural: 'leases',
    anyFinalizers: true,
    strategy: leaseStrategy,
  });
  return [['leases', store]];
};
