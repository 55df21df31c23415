import type { Clock } from '@kubechain/apimachinery';
import { NamespaceLifecycle, ResourceQuota, createAdmissionChain } from '@kubechain/apiserver';
import type {
  AdmissionChain,
  AdmissionPlugin,
  AdmissionPolicies,
  AdmissionWebhooks,
  Authorizer,
  NamespaceLister,
  QuotaSource,
  Store,
} from '@kubechain/apiserver';
import { OptionsError, unusableFlag } from '@kubechain/apiserver/options';
import type { FlagValues, admissionFlags } from '@kubechain/apiserver/options';
import { CertificateApproval, CertificateSigning, CertificateSubjectRestriction } from '../admission/certificates.ts';
import { defaultIngressClass, defaultStorageClass } from '../admission/default-class.ts';
import { DefaultTolerationSeconds } from '../admission/default-toleration-seconds.ts';
import { LimitRanger } from '../admission/limit-ranger.ts';
import { lookupIn } from '../admission/object-lookup.ts';
import { NodeRestriction } from '../admission/node-restriction/node-restriction.ts';
import { PersistentVolumeClaimResize } from '../admission/persistent-volume-claim-resize.ts';
import { PodSecurity } from '../admission/pod-security/pod-security.ts';
import { PodTopologyLabels } from '../admission/pod-topology-labels.ts';
import { Priority } from '../admission/priority.ts';
import { quotaEvaluators } from '../admission/quota/evaluators.ts';
import { RuntimeClass } from '../admission/runtime-class.ts';
import { ServiceAccount } from '../admission/service-account/service-account.ts';
import { StorageObjectInUseProtection } from '../admission/storage-object-in-use-protection.ts';
import { TaintNodesByCondition } from '../admission/taint-nodes-by-condition.ts';

/** Every plugin that kube-apiserver 1.36 knows, in its order. */
const knownPlugins: readonly string[] = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'PodTopologyLabels',
  'DenyServiceExternalIPs',
  'NodeDeclaredFeatureValidator',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
];
/** What plugins need of the server. */
export interface AdmissionEnvironment {
  readonly namespaces: NamespaceLister;
  readonly authorizer: Authorizer;
  readonly policies: AdmissionPolicies;
  readonly webhooks: AdmissionWebhooks;
  readonly quotas: QuotaSource;
  readonly clock: Clock;
  readonly storeOf: (group: string, plural: string) => Store;
  readonly notReadyTolerationSeconds: number;
  readonly unreachableTolerationSeconds: number;
}

/** Plugins that are off unless they are enabled, as in the reference. */
const offByDefault: ReadonlySet<string> = new Set(['NodeRestriction']);

/** The plugins that are built. */
const builtPlugins: ReadonlyMap<string, (environment: AdmissionEnvironment) => AdmissionPlugin> = new Map([
  [
    'NamespaceLifecycle',
    ({ namespaces, clock }: AdmissionEnvironment): AdmissionPlugin => new NamespaceLifecycle({ namespaces, clock }),
  ],
  [
    'ServiceAccount',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new ServiceAccount({ accounts: lookupIn(storeOf('', 'serviceaccounts')), random: Math.random }),
  ],
  [
    'NodeRestriction',
    ({ authorizer, storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new NodeRestriction({
        authorizer,
        pods: lookupIn(storeOf('', 'pods')),
        nodes: lookupIn(storeOf('', 'nodes')),
        claims: lookupIn(storeOf('', 'persistentvolumeclaims')),
        volumes: lookupIn(storeOf('', 'persistentvolumes')),
        drivers: lookupIn(storeOf('storage.k8s.io', 'csidrivers')),
      }),
  ],
  ['TaintNodesByCondition', (): AdmissionPlugin => new TaintNodesByCondition()],
  [
    'PodSecurity',
    ({ clock, namespaces, storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new PodSecurity({ namespaces, pods: lookupIn(storeOf('', 'pods')), clock }),
  ],
  [
    'Priority',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new Priority(lookupIn(storeOf('scheduling.k8s.io', 'priorityclasses'))),
  ],
  [
    'DefaultTolerationSeconds',
    (environment: AdmissionEnvironment): AdmissionPlugin =>
      new DefaultTolerationSeconds({
        notReadySeconds: environment.notReadyTolerationSeconds,
        unreachableSeconds: environment.unreachableTolerationSeconds,
      }),
  ],
  [
    'DefaultStorageClass',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      defaultStorageClass(lookupIn(storeOf('storage.k8s.io', 'storageclasses'))),
  ],
  ['StorageObjectInUseProtection', (): AdmissionPlugin => new StorageObjectInUseProtection()],
  [
    'CertificateApproval',
    ({ authorizer }: AdmissionEnvironment): AdmissionPlugin => new CertificateApproval(authorizer),
  ],
  ['CertificateSigning', ({ authorizer }: AdmissionEnvironment): AdmissionPlugin => new CertificateSigning(authorizer)],
  ['CertificateSubjectRestriction', (): AdmissionPlugin => new CertificateSubjectRestriction()],
  [
    'LimitRanger',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin => new LimitRanger(lookupIn(storeOf('', 'limitranges'))),
  ],
  [
    'RuntimeClass',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new RuntimeClass(lookupIn(storeOf('node.k8s.io', 'runtimeclasses'))),
  ],
  [
    'PersistentVolumeClaimResize',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      new PersistentVolumeClaimResize(lookupIn(storeOf('storage.k8s.io', 'storageclasses'))),
  ],
  [
    'ResourceQuota',
    ({ clock, quotas }: AdmissionEnvironment): AdmissionPlugin =>
      new ResourceQuota({ quotas, evaluators: quotaEvaluators(clock) }),
  ],
  ['MutatingAdmissionWebhook', ({ webhooks }: AdmissionEnvironment): AdmissionPlugin => webhooks.mutating],
  ['MutatingAdmissionPolicy', ({ policies }: AdmissionEnvironment): AdmissionPlugin => policies.mutating],
  ['ValidatingAdmissionPolicy', ({ policies }: AdmissionEnvironment): AdmissionPlugin => policies.validating],
  ['ValidatingAdmissionWebhook', ({ webhooks }: AdmissionEnvironment): AdmissionPlugin => webhooks.validating],
  [
    'PodTopologyLabels',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin => new PodTopologyLabels(lookupIn(storeOf('', 'nodes'))),
  ],
  [
    'DefaultIngressClass',
    ({ storeOf }: AdmissionEnvironment): AdmissionPlugin =>
      defaultIngressClass(lookupIn(storeOf('networking.k8s.io', 'ingressclasses'))),
  ],
]);

/**
 * The admission chain of --enable-admission-plugins and --disable-admission-plugins.
 * @throws OptionsError for a plugin that nobody knows, and for one that is asked for and not built yet
 */
export function admissionFromFlags(
  flags: FlagValues<typeof admissionFlags>,
  environment: AdmissionEnvironment,
): AdmissionChain {
  const enabled = flags['enable-admission-plugins'];
  const disabled = new Set(flags['disable-admission-plugins']);
  for (const [flag, names] of [
    ['enable-admission-plugins', enabled],
    ['disable-admission-plugins', [...disabled]],
  ] as const) {
    const unknown = names.filter((name) => !knownPlugins.includes(name));
    if (unknown.length > 0)
      throw new OptionsError('InvalidValue', `--${flag} plugin ${JSON.stringify(unknown[0])} is unknown`);
  }
  const both = enabled.find((name) => disabled.has(name));
  if (both !== undefined)
    throw new OptionsError(
      'InvalidValue',
      `${both} in --enable-admission-plugins and --disable-admission-plugins overlapped`,
    );
  const missing = enabled.filter((name) => !builtPlugins.has(name));
  if (missing.length > 0) throw unusableFlag('enable-admission-plugins', `${missing.join(', ')} not supported yet`);
  if (flags['admission-control-config-file'] !== '')
    throw unusableFlag('admission-control-config-file', 'not supported yet');
  return createAdmissionChain(
    knownPlugins.flatMap((name) => {
      const make = builtPlugins.get(name);
      const off = disabled.has(name) || (offByDefault.has(name) && !enabled.includes(name));
      return make === undefined || off ? [] : [make(environment)];
    }),
  );
}
