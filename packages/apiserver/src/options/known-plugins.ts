import { OptionsError } from './options-error.ts';

/** A plugin of kube-apiserver's, built here or not. */
export interface KnownPlugin {
  readonly name: string;
  /** Whether it runs unless --disable-admission-plugins names it; otherwise --enable-admission-plugins has to. */
  readonly onByDefault: boolean;
  /** The feature gate, off by default, without which it does nothing in the reference either. */
  readonly gate?: string;
}

const on = (name: string): KnownPlugin => ({ name, onByDefault: true });
const off = (name: string): KnownPlugin => ({ name, onByDefault: false });
/** About APIs that wait for a gate. */
const gated = (name: string, gate: string): KnownPlugin => ({ name, onByDefault: true, gate });

/**
 * Every plugin that kube-apiserver knows, in the order in which they run (pkg/kubeapiserver/options/plugins.go,
 * 1.36, and 1.19 for PodPreset).
 */
export const knownPlugins: readonly KnownPlugin[] = [
  off('AlwaysAdmit'),
  off('NamespaceAutoProvision'),
  on('NamespaceLifecycle'),
  off('NamespaceExists'),
  off('LimitPodHardAntiAffinityTopology'),
  // Removed with the API that it is about; comes back with it by --legacy-apis.
  off('PodPreset'),
  on('LimitRanger'),
  on('ServiceAccount'),
  off('NodeRestriction'),
  on('TaintNodesByCondition'),
  off('AlwaysPullImages'),
  off('ImagePolicyWebhook'),
  on('PodSecurity'),
  off('PodNodeSelector'),
  on('Priority'),
  on('DefaultTolerationSeconds'),
  off('PodTolerationRestriction'),
  off('EventRateLimit'),
  off('ExtendedResourceToleration'),
  on('DefaultStorageClass'),
  on('StorageObjectInUseProtection'),
  gated('PodGroupProtection', 'GenericWorkload'),
  off('OwnerReferencesPermissionEnforcement'),
  on('PersistentVolumeClaimResize'),
  on('RuntimeClass'),
  on('CertificateApproval'),
  on('CertificateSigning'),
  gated('ClusterTrustBundleAttest', 'ClusterTrustBundle'),
  on('CertificateSubjectRestriction'),
  on('DefaultIngressClass'),
  off('DenyServiceExternalIPs'),
  on('PodTopologyLabels'),
  gated('PodGroupWorkloadExists', 'GenericWorkload'),
  on('NodeDeclaredFeatureValidator'),
  gated('JobValidation', 'WorkloadWithJob'),
  on('PodResizeValidator'),
  on('MutatingAdmissionPolicy'),
  on('MutatingAdmissionWebhook'),
  on('ValidatingAdmissionPolicy'),
  on('ValidatingAdmissionWebhook'),
  on('ResourceQuota'),
  off('AlwaysDeny'),
];

/** @throws OptionsError for a name that no plugin of kube-apiserver's has, in its words */
export function refuseUnknownPlugins(flag: string, names: Iterable<string>): void {
  for (const name of names) {
    if (knownPlugins.some((known) => known.name === name)) continue;
    throw new OptionsError('InvalidValue', `--${flag} plugin ${JSON.stringify(name)} is unknown`);
  }
}
