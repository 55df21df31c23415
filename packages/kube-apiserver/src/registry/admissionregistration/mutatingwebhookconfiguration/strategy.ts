import type { Strategy } from '@kubechain/apiserver/resources';
import type { RegistryContext } from '../../storage-provider.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { withReservedNames } from '../reserved-names.ts';
import { webhookConfigurationRules } from '../webhook-validation.ts';

/** MutatingWebhookConfiguration: what its spec's endpoint does beyond the generic registry. */
export function mutatingWebhookConfigurationStrategy(
  context: Pick<RegistryContext, 'featureEnabled' | 'release'>,
): Strategy {
  return withReservedNames(
    specStrategy({
      generation: 'webhooks',
      exactGeneration: true,
      allowUnconditionalUpdate: false,
      ...validated(webhookConfigurationRules(context.release)),
    }),
    context,
  );
}
