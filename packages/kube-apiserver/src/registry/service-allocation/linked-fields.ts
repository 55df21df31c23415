import type { Service } from '@kubechain/apimachinery/types/core/v1';
import {
  allocatesNodePorts,
  needsClusterIP,
  needsHealthCheckPort,
  nodePortsOf,
  sameList,
  specOf,
} from './service-view.ts';

/**
 * Clients that know clusterIP only leave clusterIPs to the server, which makes one follow the other
 * (normalizeClusterIPs of pkg/registry/core/service/storage, 1.36).
 */
export function normalizeClusterIPs(service: Service, old: Service | undefined): void {
  const spec = specOf(service);
  const { clusterIP = '' } = spec;
  if (old === undefined) {
    if (clusterIP !== '' && (spec.clusterIPs?.length ?? 0) === 0) spec.clusterIPs = [clusterIP];
    return;
  }
  const { clusterIP: oldIP = '', clusterIPs: oldIPs = [] } = specOf(old);
  if (oldIP === clusterIP) {
    if (oldIPs.length > 0 && (spec.clusterIPs?.length ?? 0) === 0) spec.clusterIPs = [...oldIPs];
    return;
  }
  if (!sameList(spec.clusterIPs, oldIPs)) return;
  if (clusterIP === '') delete spec.clusterIPs;
  else spec.clusterIPs = [clusterIP];
}

/**
 * What the server has given to a service stays with it when a client sends the service without it
 * (patchAllocatedValues).
 */
export function keepAllocatedValues(service: Service, old: Service): void {
  const spec = specOf(service);
  const oldSpec = specOf(old);
  if (needsClusterIP(old) && needsClusterIP(service)) {
    if (!spec.clusterIP && oldSpec.clusterIP) spec.clusterIP = oldSpec.clusterIP;
    if ((spec.clusterIPs?.length ?? 0) === 0 && oldSpec.clusterIPs !== undefined && oldSpec.clusterIPs.length > 0)
      spec.clusterIPs = [...oldSpec.clusterIPs];
  }
  if (allocatesNodePorts(old) && allocatesNodePorts(service)) keepNodePorts(service, old);
  if (
    needsHealthCheckPort(old) &&
    needsHealthCheckPort(service) &&
    !spec.healthCheckNodePort &&
    oldSpec.healthCheckNodePort
  )
    spec.healthCheckNodePort = oldSpec.healthCheckNodePort;
}

/** By the names of ports; a node port that the client has put elsewhere is not used twice. */
function keepNodePorts(service: Service, old: Service): void {
  const wanted = new Set(nodePortsOf(service));
  const used = new Set(nodePortsOf(old).filter((port) => wanted.has(port)));
  const byName = new Map((old.spec?.ports ?? []).map(({ name = '', nodePort = 0 }) => [name, nodePort]));
  for (const port of service.spec?.ports ?? []) {
    if (port.nodePort) continue;
    const before = byName.get(port.name ?? '') ?? 0;
    if (before !== 0 && !used.has(before)) port.nodePort = before;
  }
}
