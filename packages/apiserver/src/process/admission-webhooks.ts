import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { messageOf } from '@kubechain/apimachinery';
import type { AdmissionPlugin } from '../admission/admission.ts';
import type { PluginConfigurations } from '../admission/configuration/plugin-configurations.ts';
import { webhookIdentitiesOf } from '../admission/configuration/webhook-identities-of.ts';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { HookSource } from '../admission/webhook/hook-source.ts';
import { MutatingAdmissionWebhook } from '../admission/webhook/mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from '../admission/webhook/validating-webhooks.ts';
import { WebhookMetrics } from '../admission/webhook/webhook-metrics.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { Logger } from '../logging/logger.ts';
import type { WebhookServices } from '../webhook/webhook-services.ts';

const log = new Logger('webhook');

/** The webhooks of a process: both plugins, and what they follow. */
export interface AdmissionWebhooks {
  readonly mutating: AdmissionPlugin;
  readonly validating: AdmissionPlugin;
  /** Resolves when the configurations are known; requests before that are refused. */
  waitForSync(signal?: AbortSignal): Promise<void>;
  stop(): void;
}

/** Follows webhook configurations in storage. */
export function openAdmissionWebhooks(options: {
  readonly storages: ResourceStorages;
  readonly namespaces: NamespaceLister;
  readonly services: WebhookServices;
  readonly authorizer: Authorizer;
  readonly metrics: MetricRegistry;
  readonly configurations: PluginConfigurations;
}): AdmissionWebhooks {
  const { authorizer, configurations, namespaces, services, storages } = options;
  const onError = (error: unknown): void => {
    log.warning('cannot follow webhook configurations', {
      error: messageOf(error),
    });
  };
  const metrics = new WebhookMetrics(options.metrics);
  const mutating = new HookSource('mutatingwebhookconfigurations', {
    storages,
    services,
    identities: webhookIdentitiesOf(configurations, 'MutatingAdmissionWebhook'),
    onError,
  });
  const validating = new HookSource('validatingwebhookconfigurations', {
    storages,
    services,
    identities: webhookIdentitiesOf(configurations, 'ValidatingAdmissionWebhook'),
    onError,
  });
  return {
    mutating: new MutatingAdmissionWebhook({ source: mutating, namespaces, authorizer, metrics }),
    validating: new ValidatingAdmissionWebhook({ source: validating, namespaces, authorizer, metrics }),
    waitForSync: async (signal) => {
      await Promise.all([mutating.waitForSync(signal), validating.waitForSync(signal)]);
    },
    stop() {
      mutating.stop();
      validating.stop();
    },
  };
}
