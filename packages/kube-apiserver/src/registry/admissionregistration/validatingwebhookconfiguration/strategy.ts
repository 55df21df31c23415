import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { webhookConfigurationRules } from '../webhook-validation.ts';

/** ValidatingWebhookConfiguration: what its spec's endpoint does beyond the generic registry. */
export const validatingWebhookConfigurationStrategy = specStrategy({
  generation: 'webhooks',
  exactGeneration: true,
  allowUnconditionalUpdate: false,
  ...reservedNameWarnings,
  ...validated(webhookConfigurationRules),
});
