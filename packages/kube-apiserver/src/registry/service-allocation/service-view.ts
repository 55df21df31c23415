import type { Service, ServicePort, ServiceSpec } from '@kubechain/apimachinery/types/core/v1';

/** clusterIP of a service that wants no address. */
export const headless = 'None';

/** The spec; defaulting has made sure that there is one. */
export function specOf(service: Service): ServiceSpec {
  return (service.spec ??= {});
}

/** Every type but ExternalName has cluster IPs, if only `None`. */
export function needsClusterIP({ spec }: Service): boolean {
  return spec?.type !== 'ExternalName';
}

/** Whether ports get a node port without asking for one. */
export function allocatesNodePorts({ spec }: Service): boolean {
  return spec?.type === 'NodePort' || (spec?.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false);
}

/** Types whose ports may have node ports. */
export function mayHaveNodePorts({ spec }: Service): boolean {
  return spec?.type === 'NodePort' || spec?.type === 'LoadBalancer';
}

/**
 * Load balancers that send traffic to nodes with endpoints only ask the nodes for their health on a port of its own.
 */
export function needsHealthCheckPort({ spec }: Service): boolean {
  return spec?.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local';
}

/** The one cluster IP is `None`. */
export function isHeadless({ spec }: Service): boolean {
  return spec?.clusterIPs?.length === 1 && spec.clusterIPs[0] === headless;
}

/** Node ports of the service's ports, repeated ones as often as they stand there. */
export function nodePortsOf({ spec }: Service): number[] {
  return (spec?.ports ?? []).flatMap(({ nodePort }: ServicePort) => (nodePort ? [nodePort] : []));
}

/** Lists of text are the same, item by item; absent and empty are one. */
export function sameList(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  const left = a ?? [];
  const right = b ?? [];
  return left.length === right.length && left.every((item, i) => item === right[i]);
}

/** clusterIP and clusterIPs both. */
export function sameClusterIPs(a: Service, b: Service): boolean {
  return (a.spec?.clusterIP ?? '') === (b.spec?.clusterIP ?? '') && sameList(a.spec?.clusterIPs, b.spec?.clusterIPs);
}
