import { append, FieldPath, cidrWarnings, ipWarnings } from '@kubechain/apimachinery';
import type { ReleaseAge } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { headless } from '../../service-allocation/service-view.ts';

const specPath = FieldPath.of('spec');
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';

/** What a client may want to change about a service (pkg/api/service/warnings.go, 1.36). */
export function serviceWarnings({ metadata, spec = {} }: Service, since: ReleaseAge['since']): string[] {
  const warnings: string[] = [];
  const {
    clusterIP = '',
    externalIPs = [],
    externalName,
    loadBalancerIP,
    loadBalancerSourceRanges = [],
    sessionAffinity,
    trafficDistribution,
    type,
  } = spec;
  const isHeadless = type === 'ClusterIP' && clusterIP === headless;
  const isExternalName = type === 'ExternalName';
  if (metadata?.annotations?.[hintsAnnotation] !== undefined)
    warnings.push(
      `annotation ${hintsAnnotation} is deprecated, please use service.kubernetes.io/topology-mode instead`,
    );
  if (clusterIP !== '' && clusterIP !== headless)
    append(
      warnings,
      (spec.clusterIPs ?? []).flatMap((ip, i) => ipWarnings(specPath.child('clusterIPs').index(i), ip)),
    );
  if (isHeadless) {
    if (loadBalancerIP) warnings.push('spec.loadBalancerIP is ignored for headless services');
    if (externalIPs.length > 0) warnings.push('spec.externalIPs is ignored for headless services');
    if (sessionAffinity !== 'None') warnings.push('spec.SessionAffinity is ignored for headless services');
  }
  append(
    warnings,
    externalIPs.flatMap((ip, i) => ipWarnings(specPath.child('externalIPs').index(i), ip)),
  );
  if (externalIPs.length > 0 && !isHeadless && !isExternalName && since('1.36'))
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters');
  if (loadBalancerIP) append(warnings, ipWarnings(specPath.child('loadBalancerIP'), loadBalancerIP));
  append(
    warnings,
    loadBalancerSourceRanges.flatMap((cidr, i) =>
      cidrWarnings(specPath.child('loadBalancerSourceRanges').index(i), cidr),
    ),
  );
  if (isExternalName && externalIPs.length > 0)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (!isExternalName && externalName)
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (trafficDistribution === 'PreferClose' && since('1.35'))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  return warnings;
}
