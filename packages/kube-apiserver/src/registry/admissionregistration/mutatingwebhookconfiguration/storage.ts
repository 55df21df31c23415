import type { StorageProvider } from '../../storage-provider.ts';
import { mutatingWebhookConfigurationStrategy } from './strategy.ts';

/** Serves mutatingwebhookconfigurations. */
export const mutatingWebhookConfigurationStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'admissionregistration.k8s.io',
    plural: 'mutatingwebhookconfigurations',
    anyFinalizers: true,
    strategy: mutatingWebhookConfigurationStrategy,
  });
  return [['mutatingwebhookconfigurations', store]];
};
