import { mutatingWebhookConfigurationStrategy } from './strategy.ts';
import { defaultMutatingWebhookConfiguration } from '@kubechain/apiserver/resources';
import { printWebhooks } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves mutatingwebhookconfigurations. */
export const mutatingWebhookConfigurationResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'mutatingwebhookconfigurations',
  anyFinalizers: true,
  strategy: mutatingWebhookConfigurationStrategy,
  defaults: { v1: defaultMutatingWebhookConfiguration },
  row: printWebhooks,
});
