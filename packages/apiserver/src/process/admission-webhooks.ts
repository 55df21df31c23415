import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { messageOf } from '@kubechain/apimachinery';
import type { AdmissionPlugin } from '../admission/admission.ts';
import type { PluginConfigurations } from '../admission/configuration/plugin-configurations.ts';
import { webhookConfiguration, webhookIdentitiesOf } from '../admission/configuration/webhook-identities-of.ts';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { hooksOf, type Hook, type StoredWebhook } from '../admission/webhook/hook.ts';
import { HookSource } from '../admission/webhook/hook-source.ts';
import { MutatingAdmissionWebhook } from '../admission/webhook/mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from '../admission/webhook/validating-webhooks.ts';
import { WebhookMetrics } from '../admission/webhook/webhook-metrics.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { Logger } from '../logging/logger.ts';
import type { AdmissionManifests } from './admission-manifests.ts';
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
  readonly manifests: AdmissionManifests;
}): AdmissionWebhooks {
  const { authorizer, configurations, namespaces, services, storages } = options;
  const onError = (error: unknown): void => {
    log.warning('cannot follow webhook configurations', {
      error: messageOf(error),
    });
  };
  const metrics = new WebhookMetrics(options.metrics);
  const source = (
    resource: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations',
    plugin: 'MutatingAdmissionWebhook' | 'ValidatingAdmissionWebhook',
    kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration',
  ): HookSource => {
    const client = { services, identities: webhookIdentitiesOf(configurations, plugin) };
    const manifests = options.manifests.open<readonly Hook[]>(
      { plugin, configuration: webhookConfiguration, kinds: [kind] },
      ({ objects }, before = []) => {
        for (const hook of before) hook.client.close();
        return (objects.get(kind) ?? []).flatMap(({ metadata, webhooks }) =>
          hooksOf(metadata?.name ?? '', (webhooks ?? []) as readonly StoredWebhook[], {
            ...client,
            uidPrefix: 'manifest/',
          }),
        );
      },
    );
    return new HookSource(resource, { ...client, storages, onError, manifests });
  };
  const mutating = source('mutatingwebhookconfigurations', 'MutatingAdmissionWebhook', 'MutatingWebhookConfiguration');
  const validating = source(
    'validatingwebhookconfigurations',
    'ValidatingAdmissionWebhook',
    'ValidatingWebhookConfiguration',
  );
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
