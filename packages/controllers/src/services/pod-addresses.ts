import { isIP } from 'node:net';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';

/** Whether endpoints may show a pod: it has an address and has not ended. */
export function hasEndpoint(pod: Pod, includeTerminating: boolean): boolean {
  const { status, metadata } = pod;
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  if ((status?.podIP ?? '') === '' && (status?.podIPs ?? []).length === 0) return false;
  return includeTerminating || metadata?.deletionTimestamp === undefined;
}

/** The pod's addresses of a family, in their order. */
export function podAddresses(pod: Pod, family: 'IPv4' | 'IPv6'): string[] {
  return (pod.status?.podIPs ?? []).map(({ ip }) => ip).filter((ip) => isIP(ip) === (family === 'IPv6' ? 6 : 4));
}

/** Whether the pod's host name is part of the service's domain. */
export function hasHostname({ metadata, spec }: Pod, service: Service): boolean {
  return (
    (spec?.hostname ?? '') !== '' &&
    spec?.subdomain === service.metadata?.name &&
    metadata?.namespace === service.metadata?.namespace
  );
}

/** Whether the service has a cluster IP of its own. */
export function isClusterIPSet({ spec }: Service): boolean {
  return spec?.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None';
}
