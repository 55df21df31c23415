import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { webhookConfigurationRules } from '../webhook-validation.ts';
import { defaultValidatingWebhookConfiguration } from '../defaults.ts';
import { printWebhooks } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves validatingwebhookconfigurations. */
export const validatingWebhookConfigurationResource = storedResource({
  group: 'admissionregistration.k8s.io',
  plural: 'validatingwebhookconfigurations',
  anyFinalizers: true,
  strategy: specStrategy({
    generation: 'webhooks',
    exactGeneration: true,
    allowUnconditionalUpdate: false,
    ...reservedNameWarnings,
    ...validated(webhookConfigurationRules),
  }),
  defaults: { v1: defaultValidatingWebhookConfiguration },
  row: printWebhooks,
});
