import { specStrategy } from '../../spec-strategy.ts';

/** MutatingWebhookConfiguration: what its spec's endpoint does beyond the generic registry. */
export const mutatingWebhookConfigurationStrategy = specStrategy({ generation: 'webhooks', allowUnconditionalUpdate: false });
