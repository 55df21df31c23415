import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { webhookConfigurationRules } from '../webhook-validation.ts';

/** MutatingWebhookConfiguration: what its spec's endpoint does beyond the generic registry. */
export const mutatingWebhookConfigurationStrategy = specStrategy({
  generation: 'webhooks',
  exactGeneration: true,
  allowUnconditionalUpdate: false,
  ...reservedNameWarnings,
  ...validated(webhookConfigurationRules),
});
