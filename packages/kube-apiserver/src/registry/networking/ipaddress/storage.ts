import type { StorageProvider } from '../../storage-provider.ts';
import { ipAddressStrategy } from './strategy.ts';

/** Serves ipaddresses. */
export const ipAddressStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'networking.k8s.io', plural: 'ipaddresses', strategy: ipAddressStrategy });
  return [['ipaddresses', store]];
};
