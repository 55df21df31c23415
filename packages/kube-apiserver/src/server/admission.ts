import type { Clock } from '@kubechain/apimachinery';
import { NamespaceLifecycle, createAdmissionChain } from '@kubechain/apiserver';
import type { AdmissionChain, NamespaceLister } from '@kubechain/apiserver';
import { OptionsError, unusableFlag } from '@kubechain/apiserver/options';
import type { FlagValues, admissionFlags } from '@kubechain/apiserver/options';

/** Every plugin that kube-apiserver 1.36 knows, in its order. */
const knownPlugins: readonly string[] = [
  'AlwaysAdmit', 'NamespaceAutoProvision', 'NamespaceLifecycle', 'NamespaceExists', 'LimitPodHardAntiAffinityTopology', 'LimitRanger', 'ServiceAccount', 'NodeRestriction',
  'TaintNodesByCondition', 'AlwaysPullImages', 'ImagePolicyWebhook', 'PodSecurity', 'PodNodeSelector', 'Priority', 'DefaultTolerationSeconds', 'PodTolerationRestriction', 'EventRateLimit',
  'ExtendedResourceToleration', 'DefaultStorageClass', 'StorageObjectInUseProtection', 'OwnerReferencesPermissionEnforcement', 'PersistentVolumeClaimResize', 'RuntimeClass', 'CertificateApproval',
  'CertificateSigning', 'ClusterTrustBundleAttest', 'CertificateSubjectRestriction', 'DefaultIngressClass', 'PodTopologyLabels', 'DenyServiceExternalIPs', 'NodeDeclaredFeatureValidator', 'MutatingAdmissionPolicy', 'MutatingAdmissionWebhook', 'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook', 'ResourceQuota', 'AlwaysDeny',
];
const builtPlugins: ReadonlySet<string> = new Set(['NamespaceLifecycle']);

/**
 * The admission chain of --enable-admission-plugins and --disable-admission-plugins.
 * @throws OptionsError for a plugin that nobody knows, and for one that is asked for and not built yet
 */
export function admissionFromFlags(flags: FlagValues<typeof admissionFlags>, { namespaces, clock }: { readonly namespaces: NamespaceLister; readonly clock: Clock }): AdmissionChain {
  const enabled = flags['enable-admission-plugins'];
  const disabled = new Set(flags['disable-admission-plugins']);
  for (const [flag, names] of [['enable-admission-plugins', enabled], ['disable-admission-plugins', [...disabled]]] as const) {
    const unknown = names.filter((name) => !knownPlugins.includes(name));
    if (unknown.length > 0) throw new OptionsError('InvalidValue', `--${flag} plugin ${JSON.stringify(unknown[0])} is unknown`);
  }
  const both = enabled.find((name) => disabled.has(name));
  if (both !== undefined) throw new OptionsError('InvalidValue', `${both} in --enable-admission-plugins and --disable-admission-plugins overlapped`);
  const missing = enabled.filter((name) => !builtPlugins.has(name));
  if (missing.length > 0) throw unusableFlag('enable-admission-plugins', `${missing.join(', ')} not supported yet`);
  if (flags['admission-control-config-file'] !== '') throw unusableFlag('admission-control-config-file', 'not supported yet');
  return createAdmissionChain(disabled.has('NamespaceLifecycle') ? [] : [new NamespaceLifecycle({ namespaces, clock })]);
}
