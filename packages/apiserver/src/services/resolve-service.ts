import { joinHostPort } from './join-host-port.ts';
import type { RoutedSlice, Services } from './service-directory.ts';

/** Why a service has no address now; the message is the reference's. */
export class ServiceResolutionError extends Error {
  override readonly name = 'ServiceResolutionError';
}

/** Which port of which service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Turns a service's port into `host:port` (IPv6 in brackets). @throws ServiceResolutionError */
export type ServiceResolver = (wanted: ServicePort) => string;

const routable: ReadonlySet<string> = new Set(['ClusterIP', 'LoadBalancer', 'NodePort']);

/**
 * Any ready endpoint of a service, its primary address family first (apiserver pkg/util/proxy.ResolveEndpoint, 1.36);
 * `random` picks one, in [0, 1).
 */
export function endpointResolver(services: Services, random: () => number): ServiceResolver {
  return ({ namespace, name, port }) => {
    const service = required(services, namespace, name);
    if (!routable.has(service.type))
      throw new ServiceResolutionError(`unsupported service type ${JSON.stringify(service.type)}`);
    const { name: portName } = portOf(service, port);
    const slices = shuffled(services.slices(namespace, name), random);
    const ordered = [
      ...slices.filter((slice) => slice.addressType === service.primaryFamily),
      ...slices.filter((slice) => slice.addressType !== service.primaryFamily),
    ];
    for (const { ports, readyAddresses } of ordered) {
      const target = ports.find((candidate) => candidate.name === portName);
      const address = readyAddresses[Math.floor(random() * readyAddresses.length)];
      if (target !== undefined && address !== undefined) return joinHostPort(address, target.port);
    }
    throw new ServiceResolutionError(`no endpoints available for service ${JSON.stringify(name)}`);
  };
}

/** A service's cluster IP, or its external name (apiserver pkg/util/proxy.ResolveCluster, 1.36). */
export function clusterResolver(services: Services): ServiceResolver {
  return ({ namespace, name, port }) => {
    const service = required(services, namespace, name);
    if (service.type === 'ExternalName') return joinHostPort(service.externalName, port);
    if (!routable.has(service.type))
      throw new ServiceResolutionError(`unsupported service type ${JSON.stringify(service.type)}`);
    if (service.type === 'ClusterIP' && service.clusterIP === 'None')
      throw new ServiceResolutionError('cannot route to service with ClusterIP "None"');
    portOf(service, port);
    return joinHostPort(service.clusterIP, port);
  };
}

/** The service by which a cluster reaches its API server. */
const kubernetes: ServicePort = { namespace: 'default', name: 'kubernetes', port: 443 };

/**
 * Leads default/kubernetes:443 to this server itself, at `own` (`host:port`), all others on (apiserver pkg/util/webhook
 * NewLoopbackServiceResolver, 1.36).
 */
export function loopbackResolver(resolve: ServiceResolver, own: string): ServiceResolver {
  return (wanted) =>
    wanted.name === kubernetes.name && wanted.namespace === kubernetes.namespace && wanted.port === kubernetes.port
      ? own
      : resolve(wanted);
}

/**
 * `host:port` under which a server that listens on `bound` reaches itself (SecureServingInfo.LoopbackClientConfig,
 * 1.36).
 */
export function loopbackAddress(bound: string, port: number): string {
  const own: Readonly<Record<string, string>> = { '': '127.0.0.1', '0.0.0.0': '127.0.0.1', '::': '::1' };
  return joinHostPort(own[bound] ?? bound, port);
}

function required(services: Services, namespace: string, name: string): NonNullable<ReturnType<Services['service']>> {
  const service = services.service(namespace, name);
  if (service === undefined) throw new ServiceResolutionError(`service ${JSON.stringify(name)} not found`);
  return service;
}

function portOf(service: NonNullable<ReturnType<Services['service']>>, port: number): { readonly name: string } {
  const found = service.ports.find((candidate) => candidate.port === port);
  if (found === undefined)
    throw new ServiceResolutionError(`no service port ${port} found for service ${JSON.stringify(service.name)}`);
  return found;
}

function shuffled(slices: readonly RoutedSlice[], random: () => number): readonly RoutedSlice[] {
  if (slices.length < 2) return slices;
  return slices
    .map((slice) => ({ slice, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ slice }) => slice);
}
