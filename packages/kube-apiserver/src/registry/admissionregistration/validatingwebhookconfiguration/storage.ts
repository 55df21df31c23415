import type { StorageProvider } from '../../storage-provider.ts';
import { validatingWebhookConfigurationStrategy } from './strategy.ts';

/** Serves validatingwebhookconfigurations. */
export const validatingWebhookConfigurationStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'validatingwebhookconfigurations',
    anyFinalizers: true,
    strategy: validatingWebhookConfigurationStrategy,
  });
  return [['validatingwebhookconfigurations', store]];
};
