import type { Node, Pod, Service, ServicePort } from '@kubechain/apimachinery/types/core/v1';
import type { Endpoint, EndpointPort } from '@kubechain/apimachinery/types/discovery/v1';
import { hasEndpoint, hasHostname, podAddresses } from '../services/pod-addresses.ts';
import { isPodReady } from '../services/pod-services.ts';
import { ServicePorts } from '../services/service-ports.ts';
import { inTurns } from '../clock/in-turns.ts';

/** Pods that are left out and named; of the others their number is told: there may be a hundred thousand. */
const mostNamed = 10;

export type AddressType = 'IPv4' | 'IPv6';

/** Endpoints that have the same ports. */
export interface DesiredEndpoints {
  readonly ports: readonly EndpointPort[];
  readonly endpoints: Endpoint[];
}

/** Families that a service's slices are made for. */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const families = (spec?.ipFamilies ?? []).filter(
    (family): family is AddressType => family === 'IPv4' || family === 'IPv6',
  );
  if (families.length > 0) return [...new Set(families)];
  if (spec?.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None')
    return [spec.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
  return ['IPv4', 'IPv6'];
}

/** `ports` by which slices are told apart. */
export function portsKey(ports: readonly EndpointPort[]): string {
  const parts = ports.map(({ name = '', protocol = 'TCP', port = 0, appProtocol = '' }) =>
    [name, protocol, port, appProtocol].join(' '),
  );
  return JSON.stringify(parts.sort());
}

/**
 * The endpoints of a service's pods in a family, by their ports. Pods whose node is not known are left out, which
 * `skipped` tells.
 */
export async function desiredEndpoints(
  service: Service,
  {
    pods,
    type,
    nodeOf,
  }: { readonly pods: readonly Pod[]; readonly type: AddressType; readonly nodeOf: (name: string) => Node | undefined },
): Promise<{ readonly byPorts: ReadonlyMap<string, DesiredEndpoints>; readonly skipped: string[] }> {
  const byPorts = new Map<string, DesiredEndpoints>();
  const known = new ServicePorts(service, portOf);
  const keys = new Map<readonly EndpointPort[], string>();
  const skipped: string[] = [];
  let unnamed = 0;
  await inTurns(pods, (pod) => {
    if (!hasEndpoint(pod, true)) return;
    const ports = known.of(pod);
    let key = keys.get(ports);
    if (key === undefined) keys.set(ports, (key = portsKey(ports)));
    let desired = byPorts.get(key);
    if (desired === undefined) byPorts.set(key, (desired = { ports, endpoints: [] }));
    const node = nodeOf(pod.spec?.nodeName ?? '');
    if (node === undefined && service.spec?.publishNotReadyAddresses !== true) {
      const { namespace = '', name = '' } = service.metadata ?? {};
      if (skipped.length === mostNamed) unnamed++;
      else
        skipped.push(
          `skipping Pod ${pod.metadata?.name ?? ''} for Service ${namespace}/${name}: Node ` +
            `${pod.spec?.nodeName ?? ''} Not Found`,
        );
      return;
    }
    const addresses = podAddresses(pod, type);
    if (addresses.length > 0) desired.endpoints.push(endpointOf(service, pod, { addresses, node }));
  });
  if (unnamed > 0) skipped.push(`and ${unnamed} more`);
  return { byPorts, skipped };
}

function portOf({ appProtocol, name = '', protocol = 'TCP' }: ServicePort, port: number): EndpointPort {
  return { name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) };
}

function endpointOf(
  service: Service,
  pod: Pod,
  { addresses, node }: { readonly addresses: string[]; readonly node: Node | undefined },
): Endpoint {
  const serving = isPodReady(pod.status);
  const terminating = pod.metadata?.deletionTimestamp !== undefined;
  const ready = service.spec?.publishNotReadyAddresses === true || (serving && !terminating);
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
  const nodeName = pod.spec?.nodeName ?? '';
  const zone = node?.metadata?.labels?.['topology.kubernetes.io/zone'] ?? '';
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hasHostname(pod, service) ? { hostname: pod.spec?.hostname ?? '' } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === '' ? {} : { nodeName }),
    ...(zone === '' ? {} : { zone }),
    ...hintsOf(service, { ready, zone, nodeName }),
  };
}

/** Where traffic to an endpoint should come from, for services that ask for it (spec.trafficDistribution). */
function hintsOf(
  { spec }: Service,
  { ready, zone, nodeName }: { readonly ready: boolean; readonly zone: string; readonly nodeName: string },
): Pick<Endpoint, 'hints'> {
  const distribution = spec?.trafficDistribution;
  if (!ready || zone === '') return {};
  const forZones = [{ name: zone }];
  if (distribution === 'PreferClose' || distribution === 'PreferSameZone') return { hints: { forZones } };
  if (distribution === 'PreferSameNode' && nodeName !== '')
    return { hints: { forNodes: [{ name: nodeName }], forZones } };
  return {};
}
