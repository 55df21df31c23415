import { append, equalJSON, type JSONValue } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import type { Endpoint, EndpointPort, EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import { isClusterIPSet } from '../services/pod-addresses.ts';
import { portsKey, type AddressType, type DesiredEndpoints } from './desired-endpoints.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const HEADLESS = 'service.kubernetes.io/headless';

/** What has to be written. */
export interface SlicePlan {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
}

export interface SlicePlanInput {
  readonly service: Service;
  readonly type: AddressType;
  readonly existing: readonly EndpointSlice[];
  readonly desired: ReadonlyMap<string, DesiredEndpoints>;
  readonly maxEndpoints: number;
  /** Who manages the slices. */
  readonly manager: string;
}

/**
 * Decides how a service's slices of one family become what they should be, with as few writes as can be
 * (k8s.io/endpointslice's reconciler): endpoints stay in the slice that they are in; slices that change anyway are
 * filled first; what is left goes into a slice with room, or into new ones. A service without endpoints keeps one
 * empty slice.
 */
export function planSlices(input: SlicePlanInput): SlicePlan {
  const { service, existing, desired } = input;
  const plan: SlicePlan = { create: [], update: [], remove: [] };
  append(
    plan.remove,
    existing.filter((slice) => !isOwnedBy(slice, service)),
  );
  const owned = existing.filter((slice) => isOwnedBy(slice, service));
  const byPorts = Map.groupBy(owned, ({ ports }) => portsKey(ports ?? []));
  for (const [key, wanted] of desired) planPorts(input, { wanted, existing: byPorts.get(key) ?? [], plan });
  for (const [key, slices] of byPorts) if (!desired.has(key)) append(plan.remove, slices);
  if (existing.length === plan.remove.length && plan.create.length === 0) {
    const placeholder = newSlice(input, []);
    const [only] = plan.remove;
    if (plan.remove.length === 1 && isPlaceholder(only!, placeholder)) plan.remove.length = 0;
    else plan.create.push(placeholder);
  }
  reuseNames(plan, service);
  return plan;
}

/** Labels that a service's slices have. */
export function sliceLabels(service: Service, manager: string): Record<string, string> {
  const { [SERVICE_NAME]: _, [MANAGED_BY]: __, [HEADLESS]: ___, ...labels } = service.metadata?.labels ?? {};
  return {
    ...labels,
    ...(isClusterIPSet(service) ? {} : { [HEADLESS]: '' }),
    [SERVICE_NAME]: service.metadata?.name ?? '',
    [MANAGED_BY]: manager,
  };
}

function planPorts(
  input: SlicePlanInput,
  {
    wanted,
    existing,
    plan,
  }: { readonly wanted: DesiredEndpoints; readonly existing: readonly EndpointSlice[]; readonly plan: SlicePlan },
): void {
  const { maxEndpoints } = input;
  const missing = new Map(wanted.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const labels = sliceLabels(input.service, input.manager);
  const changed = new Map<EndpointSlice, EndpointSlice>();
  const unchanged: EndpointSlice[] = [];
  for (const slice of existing) {
    const kept: Endpoint[] = [];
    for (const endpoint of slice.endpoints ?? []) {
      const key = endpointKey(endpoint);
      const now = missing.get(key);
      if (now === undefined) continue;
      kept.push(now);
      missing.delete(key);
    }
    if (kept.length === 0 && (slice.endpoints ?? []).length > 0) plan.remove.push(slice);
    else if (same(kept, slice.endpoints ?? []) && same(labels, slice.metadata?.labels ?? {})) unchanged.push(slice);
    else changed.set(slice, { ...slice, metadata: { ...slice.metadata, labels }, endpoints: kept });
  }
  const left = [...missing.values()];
  const fill = (slice: EndpointSlice): EndpointSlice => {
    const endpoints = slice.endpoints ?? [];
    return { ...slice, endpoints: [...endpoints, ...left.splice(0, maxEndpoints - endpoints.length)] };
  };
  // Fullest first.
  const byFill = [...changed].sort(([, a], [, b]) => (b.endpoints ?? []).length - (a.endpoints ?? []).length);
  for (const [slice, next] of byFill) if (left.length > 0) changed.set(slice, fill(next));
  while (left.length > 0) {
    const room = left.length < maxEndpoints ? sliceWithRoom(unchanged, left.length, maxEndpoints) : undefined;
    if (room === undefined) plan.create.push(fill(newSlice(input, wanted.ports)));
    else {
      unchanged.splice(unchanged.indexOf(room), 1);
      changed.set(room, fill({ ...room, metadata: { ...room.metadata, labels } }));
    }
  }
  append(plan.update, changed.values());
}

/** The slice that will be fullest with so many endpoints more. */
function sliceWithRoom(slices: readonly EndpointSlice[], count: number, max: number): EndpointSlice | undefined {
  let found: EndpointSlice | undefined;
  let least = max;
  for (const slice of slices) {
    const room = max - (count + (slice.endpoints ?? []).length);
    if (room >= 0 && room < least) {
      least = room;
      found = slice;
    }
  }
  return found;
}

function newSlice({ service, type, manager }: SlicePlanInput, ports: readonly EndpointPort[]): EndpointSlice {
  const { name = '', namespace = '' } = service.metadata ?? {};
  return {
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: sliceLabels(service, manager),
      ownerReferences: [controllerRef(service, resources.services)],
    },
    addressType: type,
    endpoints: [],
    ports: [...ports],
  };
}

/** A slice that would be deleted becomes the one that would be created: kube-proxy sees one change. */
function reuseNames(plan: SlicePlan, service: Service): void {
  for (const slice of plan.remove.slice()) {
    if (plan.create.length === 0) return;
    const next = plan.create.at(-1)!;
    if (slice.addressType !== next.addressType || !isOwnedBy(slice, service)) continue;
    plan.create.pop();
    plan.remove.splice(plan.remove.indexOf(slice), 1);
    plan.update.push({
      ...next,
      metadata: {
        ...next.metadata,
        name: slice.metadata?.name ?? '',
        ...(slice.metadata?.resourceVersion === undefined ? {} : { resourceVersion: slice.metadata.resourceVersion }),
      },
    });
  }
}

function isOwnedBy(slice: EndpointSlice, service: Service): boolean {
  return (slice.metadata?.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => uid === service.metadata?.uid && kind === 'Service' && apiVersion === 'v1',
  );
}

function isPlaceholder(slice: EndpointSlice, placeholder: EndpointSlice): boolean {
  return (
    (slice.endpoints ?? []).length === 0 &&
    (slice.ports ?? []).length === 0 &&
    slice.addressType === placeholder.addressType &&
    same(slice.metadata?.labels ?? {}, placeholder.metadata?.labels ?? {})
  );
}

/** The same endpoint: address, name, node and pod; conditions may differ. */
function endpointKey({ addresses, hostname = '', targetRef }: Endpoint): string {
  return JSON.stringify([addresses, hostname, targetRef?.namespace, targetRef?.name, targetRef?.uid]);
}

function same(a: unknown, b: unknown): boolean {
  return equalJSON(a as JSONValue, b as JSONValue);
}
