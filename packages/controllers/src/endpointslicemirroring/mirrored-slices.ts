import { isIP } from 'node:net';
import { append, equalJSON, type JSONValue } from '@kubechain/apimachinery';
import type { EndpointAddress, Endpoints } from '@kubechain/apimachinery/types/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import { portsKey, type AddressType } from '../endpointslice/desired-endpoints.ts';
import { MANAGED_BY, SERVICE_NAME, type SlicePlan } from '../endpointslice/plan-slices.ts';

export const MIRRORING_MANAGER = 'endpointslicemirroring-controller.k8s.io';
/** Annotations that are the Endpoints' own. */
const NOT_COPIED: readonly string[] = [
  'endpoints.kubernetes.io/last-change-trigger-time',
  'kubectl.kubernetes.io/last-applied-configuration',
];

/** How Endpoints become slices, and what could not be mirrored. */
export interface MirrorPlan extends SlicePlan {
  readonly invalid: number;
  readonly skipped: number;
}

/**
 * Decides how the slices that mirror Endpoints become what they should be: one for each set of ports and family
 * (pkg/controller/endpointslicemirroring).
 */
export function planMirror(endpoints: Endpoints, existing: readonly EndpointSlice[], maxPerSubset: number): MirrorPlan {
  const desired = new Map<
    string,
    { readonly type: AddressType; readonly ports: EndpointPort[]; readonly list: Endpoint[] }
  >();
  let invalid = 0;
  let skipped = 0;
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of endpoints.subsets ?? []) {
    const slicePorts = ports.map(({ name = '', port, protocol = 'TCP', appProtocol }) => ({
      name,
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    let added = 0;
    const all = [
      ...addresses.map((address) => ({ address, ready: true })),
      ...notReadyAddresses.map((address) => ({ address, ready: false })),
    ];
    for (const { address, ready } of all) {
      if (added >= maxPerSubset) break;
      const family = isIP(address.ip);
      if (family === 0) {
        invalid++;
        continue;
      }
      added++;
      const type = family === 6 ? 'IPv6' : 'IPv4';
      const key = `${type} ${portsKey(slicePorts)}`;
      const entry = desired.get(key) ?? { type, ports: slicePorts, list: [] };
      entry.list.push(mirrored(address, ready));
      desired.set(key, entry);
    }
    skipped += all.length - added;
  }
  const plan: MirrorPlan = { create: [], update: [], remove: [], invalid, skipped };
  const byKey = Map.groupBy(existing, ({ addressType, ports }) => `${addressType} ${portsKey(ports ?? [])}`);
  for (const [key, slices] of byKey) append(plan.remove, slices.slice(desired.has(key) ? 1 : 0));
  for (const [key, { type, ports, list }] of desired) {
    const wanted = sliceOf(endpoints, { type, ports, list: list.slice(0, maxPerSubset) });
    const [current] = byKey.get(key) ?? [];
    if (current === undefined) plan.create.push(wanted);
    else if (!isMirror(current, wanted)) plan.update.push(overwriting(current, wanted));
  }
  // A slice that is not needed becomes one that is.
  while (plan.create.length > 0) {
    const next = plan.create.at(-1)!;
    const index = plan.remove.findIndex(({ addressType }) => addressType === next.addressType);
    if (index === -1) break;
    plan.create.pop();
    plan.update.push(overwriting(plan.remove.splice(index, 1)[0]!, next));
  }
  return plan;
}

function mirrored({ ip, hostname, nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === undefined || hostname === '' ? {} : { hostname }),
    ...(targetRef === undefined ? {} : { targetRef }),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

function sliceOf(
  endpoints: Endpoints,
  { type, ports, list }: { readonly type: AddressType; readonly ports: EndpointPort[]; readonly list: Endpoint[] },
): EndpointSlice {
  const { name = '', namespace = '', labels, annotations = {} } = endpoints.metadata ?? {};
  return {
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MIRRORING_MANAGER },
      annotations: Object.fromEntries(Object.entries(annotations).filter(([key]) => !NOT_COPIED.includes(key))),
      ownerReferences: [controllerRef(endpoints, resources.endpoints)],
    },
    addressType: type,
    endpoints: list,
    ports,
  };
}

function overwriting({ metadata }: EndpointSlice, wanted: EndpointSlice): EndpointSlice {
  const { name = '', resourceVersion } = metadata ?? {};
  return {
    ...wanted,
    metadata: { ...wanted.metadata, name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
  };
}

/** Whether a slice says what it should, in whatever order. */
function isMirror(current: EndpointSlice, wanted: EndpointSlice): boolean {
  const facts = ({ metadata, endpoints }: EndpointSlice): JSONValue =>
    [
      metadata?.labels ?? {},
      metadata?.annotations ?? {},
      metadata?.ownerReferences?.[0]?.uid ?? '',
      [...(endpoints ?? [])].sort((a, b) => ((a.addresses[0] ?? '') < (b.addresses[0] ?? '') ? -1 : 1)),
    ] as unknown as JSONValue;
  return equalJSON(facts(current), facts(wanted));
}
