import type { PeerFaults } from '../peers/peer-faults.ts';
import type { TellWebhookCall } from '../peers/webhook-calls.ts';
import type { EgressSelector } from '../egress/egress-selector.ts';
import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { AlwaysAdmit, AlwaysDeny } from '../admission/always.ts';
import type { PluginConfigurations } from '../admission/configuration/plugin-configurations.ts';
import type { ManifestRules } from '../admission/manifests/manifest-objects.ts';
import { NamespaceAutoProvision } from '../admission/namespace-auto-provision.ts';
import { NamespaceExists } from '../admission/namespace-exists.ts';
import { OwnerReferencesPermissionEnforcement } from '../admission/owner-references-permission-enforcement.ts';
import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { limitedResources } from '../admission/quota/limited-resources.ts';
import { ResourceQuota } from '../admission/quota/resource-quota.ts';
import { QuotaSource } from '../admission/quota/quota-source.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { WebhookServices } from '../webhook/webhook-services.ts';
import { AdmissionManifests } from './admission-manifests.ts';
import { openAdmissionPolicies, type AdmissionPolicies } from './admission-policies.ts';
import { openAdmissionWebhooks, type AdmissionWebhooks } from './admission-webhooks.ts';
import type { MakePlugin } from './admission-registry.ts';
import type { Assembly } from './assembly.ts';
import { FollowedNamespaces } from './namespaces.ts';
import { ProvisionedNamespaces } from './provisioned-namespaces.ts';

/** What the plugins of every server look at, followed from storage. */
export interface AdmissionParts {
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  readonly authorizer: Authorizer;
  readonly namespaces: FollowedNamespaces;
  /** Where webhooks, of admission and of conversion, are reached that are named by service. */
  readonly services: WebhookServices;
  readonly webhooks: AdmissionWebhooks;
  readonly policies: AdmissionPolicies;
  readonly quotas: QuotaSource;
  /** For NamespaceAutoProvision. */
  readonly provisionedNamespaces: ProvisionedNamespaces;
  readonly configurations: PluginConfigurations;
  /** Resolves when everything that plugins look at is known; requests before that wait or are refused. */
  waitForSync(signal: AbortSignal): Promise<void>;
}

export interface AdmissionPartsOptions {
  readonly storages: ResourceStorages;
  /** For custom resources that are params of policies: without a cache. */
  readonly directOptions: RESTOptionsGetter;
  readonly authorizer: Authorizer;
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  readonly metrics: MetricRegistry;
  readonly configurations: PluginConfigurations;
  /** Whether configurations may come from files, and what rules the API has for them where they are known. */
  readonly manifests: { readonly enabled: boolean; readonly rules: ManifestRules | undefined };
  /** Through which proxies webhooks are reached. */
  readonly egress: EgressSelector | undefined;
  /** What calls of webhooks meet. */
  readonly peerFaults?: PeerFaults | undefined;
  /** Told of calls of webhooks. */
  readonly tellWebhookCall?: TellWebhookCall | undefined;
}

/** Follows what plugins look at. */
export function openAdmissionParts(
  assembly: Assembly,
  {
    authorizer,
    clock,
    configurations,
    directOptions,
    egress,
    manifests: fromFiles,
    metrics,
    peerFaults,
    randomness,
    storages,
    tellWebhookCall,
  }: AdmissionPartsOptions,
): AdmissionParts {
  const stop = (part: { stop(): void | Promise<void> }): void | Promise<void> => part.stop();
  const ignore = (): void => undefined;
  const namespaces = assembly.open(
    'namespaces',
    () => new FollowedNamespaces(storages.get('', 'namespaces'), ignore),
    stop,
  );
  const services = assembly.open(
    'webhook services',
    () =>
      new WebhookServices(storages, {
        random: randomness.random,
        onError: ignore,
        egress,
        faults: peerFaults,
        tell: tellWebhookCall,
      }),
    stop,
  );
  const quotas = assembly.open(
    'resource quotas',
    () => new QuotaSource(storages.get('', 'resourcequotas'), { clock, onError: ignore }),
    stop,
  );
  const provisionedNamespaces = assembly.open(
    'namespaces to be made',
    () => new ProvisionedNamespaces({ directOptions, clock, randomness }),
    stop,
  );
  const manifests = new AdmissionManifests({
    ...fromFiles,
    configurations,
    registry: metrics,
    now: () => clock.now(),
  });
  const webhooks = assembly.open(
    'admission webhooks',
    () => openAdmissionWebhooks({ storages, namespaces, services, authorizer, metrics, configurations, manifests }),
    stop,
  );
  const policies = assembly.open(
    'admission policies',
    () => openAdmissionPolicies({ storages, directOptions, namespaces, authorizer, manifests }),
    stop,
  );
  return {
    clock,
    randomness,
    authorizer,
    namespaces,
    services,
    webhooks,
    policies,
    quotas,
    provisionedNamespaces,
    configurations,
    waitForSync: async (signal) => {
      await Promise.all([namespaces, webhooks, policies, quotas].map((part) => part.waitForSync(signal)));
    },
  };
}

/** The plugins that every server offers: they concern objects of any kind. */
export const genericPlugins = {
  AlwaysAdmit: () => new AlwaysAdmit(),
  AlwaysDeny: () => new AlwaysDeny(),
  NamespaceExists: ({ namespaces }) => new NamespaceExists(namespaces),
  OwnerReferencesPermissionEnforcement: ({ authorizer, policies }) =>
    new OwnerReferencesPermissionEnforcement({ authorizer, resourceOf: (kind) => policies.resourceOf(kind) }),
  NamespaceLifecycle: ({ namespaces, clock }) => new NamespaceLifecycle({ namespaces, clock }),
  MutatingAdmissionPolicy: ({ policies }) => policies.mutating,
  MutatingAdmissionWebhook: ({ webhooks }) => webhooks.mutating,
  ValidatingAdmissionPolicy: ({ policies }) => policies.validating,
  ValidatingAdmissionWebhook: ({ webhooks }) => webhooks.validating,
  ResourceQuota: ({ configurations, quotas }) =>
    new ResourceQuota({ quotas, limited: limitedResources(configurations) }),
  NamespaceAutoProvision: ({ namespaces, provisionedNamespaces }) =>
    new NamespaceAutoProvision({ namespaces, create: provisionedNamespaces.create }),
} satisfies Readonly<Record<string, MakePlugin<AdmissionParts>>>;
