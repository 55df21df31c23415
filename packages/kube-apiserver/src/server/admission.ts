import {
  NamespaceAutoProvision,
  ResourceQuota,
  genericPlugins,
  limitedResources,
  knownPlugins,
  offeredPlugins,
} from '@kubechain/apiserver/servers';
import type { Store } from '@kubechain/apiserver/resources';
import type { AdmissionParts, MakePlugin } from '@kubechain/apiserver/servers';
import { unusableFlag } from '@kubechain/apiserver/options';
import type { FeatureGate, FlagValues, admissionFlags } from '@kubechain/apiserver/options';
import { AlwaysPullImages } from '../admission/always-pull-images.ts';
import { namespaceCreator } from '../admission/create-namespace.ts';
import { DenyServiceExternalIPs } from '../admission/deny-service-external-ips.ts';
import { EventRateLimit } from '../admission/event-rate-limit.ts';
import { ExtendedResourceToleration } from '../admission/extended-resource-toleration.ts';
import { ImagePolicyWebhook } from '../admission/image-policy-webhook.ts';
import { LimitPodHardAntiAffinityTopology } from '../admission/limit-pod-hard-anti-affinity-topology.ts';
import { NodeDeclaredFeatureValidator } from '../admission/node-declared-feature-validator.ts';
import { PodNodeSelector } from '../admission/pod-node-selector.ts';
import { PodTolerationRestriction } from '../admission/pod-toleration-restriction.ts';
import {
  clusterTolerations,
  eventLimits,
  imagePolicy,
  nodeSelectors,
  podSecurityConfiguration,
} from '../admission/plugin-configurations.ts';
import {
  CertificateApproval,
  CertificateSigning,
  CertificateSubjectRestriction,
  ClusterTrustBundleAttest,
} from '../admission/certificates.ts';
import { defaultIngressClass, defaultStorageClass } from '../admission/default-class.ts';
import { DefaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { LimitRanger } from '../admission/limit-ranger.ts';
import { lookupIn } from '../admission/object-lookup.ts';
import { NodeRestriction } from '../admission/node-restriction/node-restriction.ts';
import { PersistentVolumeClaimResize } from '../admission/persistent-volume-claim-resize.ts';
import { PodPreset } from '../admission/pod-preset.ts';
import { PodResizeValidator } from '../admission/pod-resize-validator.ts';
import type { PodSecurityMetrics } from '../admission/pod-security/pod-security-metrics.ts';
import { PodSecurity } from '../admission/pod-security/pod-security.ts';
import { PodTopologyLabels } from '../admission/pod-topology-labels.ts';
import { Priority } from '../admission/priority.ts';
import { sleep } from '@kubechain/apimachinery';
import { quotaEvaluators } from '@kubechain/component-helpers';
import { RuntimeClass } from '../admission/runtime-class.ts';
import { ServiceAccount } from '../admission/service-account/service-account.ts';
import { PodGroupProtection, PodGroupWorkloadExists } from '../admission/pod-groups.ts';
import { StorageObjectInUseProtection } from '../admission/storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from '../admission/taint-nodes-by-condition.ts';

const podPresets = 'settings.k8s.io/v1alpha1';

/** What plugins get. */
export interface AdmissionEnvironment extends AdmissionParts {
  readonly storeOf: (group: string, plural: string) => Store;
  readonly notReadyTolerationSeconds: number;
  readonly unreachableTolerationSeconds: number;
  /** The minor version of the release whose rules hold. */
  readonly serverMinor: number;
  /** Where evaluations of pods are counted. */
  readonly podSecurityMetrics: PodSecurityMetrics;
  /** Whether a feature is on. */
  readonly enabled: (gate: FeatureGate) => boolean;
}

/** The plugins that built-in resources go through. */
export const builtInPlugins = offeredPlugins<AdmissionEnvironment>({
  ...genericPlugins,
  NamespaceAutoProvision: ({ namespaces, storeOf }) =>
    new NamespaceAutoProvision({ namespaces, create: namespaceCreator(storeOf('', 'namespaces')) }),
  LimitPodHardAntiAffinityTopology: () => new LimitPodHardAntiAffinityTopology(),
  PodPreset: ({ storeOf }) => new PodPreset(lookupIn(() => storeOf('settings.k8s.io', 'podpresets'))),
  LimitRanger: ({ storeOf }) => new LimitRanger(lookupIn(() => storeOf('', 'limitranges'))),
  ServiceAccount: ({ clock, randomness, storeOf }) =>
    new ServiceAccount({
      accounts: lookupIn(() => storeOf('', 'serviceaccounts')),
      random: randomness.random,
      sleep: (milliseconds) => sleep(clock, milliseconds),
    }),
  NodeRestriction: ({ authorizer, enabled, storeOf }) =>
    new NodeRestriction({
      authorizer,
      pods: lookupIn(() => storeOf('', 'pods')),
      nodes: lookupIn(() => storeOf('', 'nodes')),
      claims: lookupIn(() => storeOf('', 'persistentvolumeclaims')),
      volumes: lookupIn(() => storeOf('', 'persistentvolumes')),
      drivers: lookupIn(() => storeOf('storage.k8s.io', 'csidrivers')),
      serviceAccounts: lookupIn(() => storeOf('', 'serviceaccounts')),
      certifiesPods: enabled('PodCertificateRequest'),
      checksAudiences: enabled('ServiceAccountNodeAudienceRestriction'),
    }),
  TaintNodesByCondition: () => new TaintNodesByCondition(),
  AlwaysPullImages: () => new AlwaysPullImages(),
  ImagePolicyWebhook: ({ clock, configurations }) =>
    new ImagePolicyWebhook({
      ...imagePolicy(configurations),
      clock,
      sleep: (milliseconds) => sleep(clock, milliseconds),
    }),
  PodSecurity: ({ clock, configurations, namespaces, podSecurityMetrics: metrics, serverMinor, storeOf }) =>
    new PodSecurity({
      namespaces,
      pods: lookupIn(() => storeOf('', 'pods')),
      clock,
      configuration: podSecurityConfiguration(configurations),
      metrics,
      serverMinor,
    }),
  PodNodeSelector: ({ configurations, namespaces }) =>
    new PodNodeSelector({ namespaces, selectors: nodeSelectors(configurations) }),
  PodTolerationRestriction: ({ configurations, namespaces }) =>
    new PodTolerationRestriction({ namespaces, ...clusterTolerations(configurations) }),
  EventRateLimit: ({ clock, configurations }) => new EventRateLimit(eventLimits(configurations), clock),
  ExtendedResourceToleration: () => new ExtendedResourceToleration(),
  PodResizeValidator: ({ storeOf }) => new PodResizeValidator(lookupIn(() => storeOf('', 'nodes'))),
  DenyServiceExternalIPs: () => new DenyServiceExternalIPs(),
  NodeDeclaredFeatureValidator: ({ enabled, storeOf }) =>
    new NodeDeclaredFeatureValidator({
      enabled: enabled('NodeDeclaredFeatures'),
      nodes: lookupIn(() => storeOf('', 'nodes')),
    }),
  Priority: ({ enabled, storeOf }) =>
    new Priority(
      lookupIn(() => storeOf('scheduling.k8s.io', 'priorityclasses')),
      {
        podgroups: enabled('GenericWorkload'),
        alpha: enabled('WorkloadAwarePreemption'),
        compositepodgroups: enabled('CompositePodGroup'),
        preemption: enabled('PodGroupPreemptionPolicy'),
      },
    ),
  DefaultTolerationSeconds: ({ notReadyTolerationSeconds, unreachableTolerationSeconds }) =>
    new DefaultTolerationSeconds({
      notReadySeconds: notReadyTolerationSeconds,
      unreachableSeconds: unreachableTolerationSeconds,
    }),
  DefaultStorageClass: ({ storeOf }) =>
    defaultStorageClass(lookupIn(() => storeOf('storage.k8s.io', 'storageclasses'))),
  StorageObjectInUseProtection: () => new StorageObjectInUseProtection(),
  PodGroupProtection: () => new PodGroupProtection(),
  PodGroupWorkloadExists: ({ storeOf }) =>
    new PodGroupWorkloadExists(lookupIn(() => storeOf('scheduling.k8s.io', 'workloads'))),
  PersistentVolumeClaimResize: ({ storeOf }) =>
    new PersistentVolumeClaimResize(lookupIn(() => storeOf('storage.k8s.io', 'storageclasses'))),
  RuntimeClass: ({ storeOf }) => new RuntimeClass(lookupIn(() => storeOf('node.k8s.io', 'runtimeclasses'))),
  CertificateApproval: ({ authorizer }) => new CertificateApproval(authorizer),
  CertificateSigning: ({ authorizer }) => new CertificateSigning(authorizer),
  ClusterTrustBundleAttest: ({ authorizer }) => new ClusterTrustBundleAttest(authorizer),
  CertificateSubjectRestriction: () => new CertificateSubjectRestriction(),
  DefaultIngressClass: ({ storeOf }) =>
    defaultIngressClass(lookupIn(() => storeOf('networking.k8s.io', 'ingressclasses'))),
  PodTopologyLabels: ({ enabled, storeOf }) =>
    new PodTopologyLabels(
      lookupIn(() => storeOf('', 'nodes')),
      { enabled: enabled('PodTopologyLabelsAdmission') },
    ),
  ResourceQuota: ({ clock, configurations, quotas }) =>
    new ResourceQuota({ quotas, evaluators: quotaEvaluators(clock), limited: limitedResources(configurations) }),
} satisfies Readonly<Record<string, MakePlugin<AdmissionEnvironment>>>);

/**
 * This server is the one that serves what all other plugins are about: one that it does not offer, nobody does.
 * @throws OptionsError for a known plugin that is enabled and not built, or whose API is not served
 */
export function refuseUnbuiltPlugins(flags: FlagValues<typeof admissionFlags>, legacyAPIs: readonly string[]): void {
  const enabled = flags['enable-admission-plugins'];
  const missing = enabled.filter(
    (name) =>
      knownPlugins.some((known) => known.name === name && known.gate === undefined) &&
      !builtInPlugins.some((plugin) => plugin.name === name),
  );
  if (missing.length > 0) throw unusableFlag('enable-admission-plugins', `${missing.join(', ')} not supported yet`);
  if (enabled.includes('PodPreset') && !legacyAPIs.includes(podPresets))
    throw unusableFlag('enable-admission-plugins', `PodPreset needs --legacy-apis=${podPresets}`);
}
