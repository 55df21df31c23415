import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { withReservedNames } from '../reserved-names.ts';
import { webhookConfigurationRules } from '../webhook-validation.ts';
import { defaultValidatingWebhookConfiguration } from '@kubechain/apiserver/resources';
import { printWebhooks } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves validatingwebhookconfigurations. */
export const validatingWebhookConfigurationResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingwebhookconfigurations',
  anyFinalizers: true,
  strategy: (context) =>
    withReservedNames(
      specStrategy({
        generation: 'webhooks',
        exactGeneration: true,
        allowUnconditionalUpdate: false,
        ...validated(webhookConfigurationRules(context.release)),
      }),
      context,
    ),
  defaults: { v1: defaultValidatingWebhookConfiguration },
  row: printWebhooks,
});
