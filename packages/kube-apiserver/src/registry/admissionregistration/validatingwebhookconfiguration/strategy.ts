import { specStrategy } from '../../spec-strategy.ts';

/** ValidatingWebhookConfiguration: what its spec's endpoint does beyond the generic registry. */
export const validatingWebhookConfigurationStrategy = specStrategy({ generation: 'webhooks', allowUnconditionalUpdate: false });
