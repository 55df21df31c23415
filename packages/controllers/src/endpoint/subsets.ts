import { schemaFor } from '@kubechain/apimachinery';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@kubechain/apimachinery/types/core/v1';
import { goDump } from '../go-dump/go-dump.ts';

/** As many addresses as an Endpoints object may have. */
const MAX_CAPACITY = 1000;

/** One address on one port; without a port for headless services that name none. */
export interface SingleEndpoint {
  readonly address: EndpointAddress;
  readonly port: EndpointPort | undefined;
  readonly ready: boolean;
}

/**
 * Puts single endpoints together: ports with the same addresses in the same states are one subset (endpoints
 * utils' RepackSubsets). All is in the reference's order, which for ports and subsets is that of their hashes, so that
 * the same endpoints always make the same bytes.
 */
export function packSubsets(endpoints: readonly SingleEndpoint[]): EndpointSubset[] {
  const byPort = new Map<string, { readonly port: EndpointPort | undefined; readonly states: Map<string, boolean> }>();
  const addresses = new Map<string, EndpointAddress>();
  for (const { address, port, ready } of endpoints) {
    const key = JSON.stringify([address.ip, address.targetRef?.uid ?? '']);
    addresses.set(key, address);
    const portKey = JSON.stringify(port ?? null);
    let entry = byPort.get(portKey);
    if (entry === undefined) byPort.set(portKey, (entry = { port, states: new Map() }));
    // Not ready wins.
    entry.states.set(key, (entry.states.get(key) ?? true) && ready);
  }
  const packed = new Map<string, { readonly ports: EndpointPort[]; readonly states: ReadonlyMap<string, boolean> }>();
  for (const { port, states } of byPort.values()) {
    const key = JSON.stringify([...states].sort(([a], [b]) => (a < b ? -1 : 1)));
    const entry = packed.get(key) ?? { ports: [], states };
    if (port !== undefined) entry.ports.push(port);
    packed.set(key, entry);
  }
  const subsets = [...packed.values()].map(({ ports, states }): EndpointSubset => {
    const inState = (ready: boolean): EndpointAddress[] =>
      [...states]
        .filter(([, state]) => state === ready)
        .map(([key]) => addresses.get(key)!)
        .sort(byAddress);
    const ready = inState(true);
    const notReady = inState(false);
    return {
      ...(ready.length === 0 ? {} : { addresses: ready }),
      ...(notReady.length === 0 ? {} : { notReadyAddresses: notReady }),
      ...(ports.length === 0 ? {} : { ports: byHash('EndpointPort', ports) }),
    };
  });
  return byHash('EndpointSubset', subsets);
}

/** The single endpoints of subsets, the reverse of packSubsets. */
export function singleEndpoints(subsets: readonly EndpointSubset[]): SingleEndpoint[] {
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) =>
    (ports.length === 0 ? [undefined] : ports).flatMap((port) => [
      ...addresses.map((address) => ({ address, port, ready: true })),
      ...notReadyAddresses.map((address) => ({ address, port, ready: false })),
    ]),
  );
}

/** Cuts subsets down to what an object may have, ready addresses first; the same array when there is nothing to cut. */
export function truncateSubsets(subsets: readonly EndpointSubset[]): readonly EndpointSubset[] {
  const count = (of: (subset: EndpointSubset) => readonly unknown[] | undefined): number =>
    subsets.reduce((sum, subset) => sum + (of(subset)?.length ?? 0), 0);
  const ready = count(({ addresses }) => addresses);
  const notReady = count(({ notReadyAddresses }) => notReadyAddresses);
  if (ready + notReady <= MAX_CAPACITY) return subsets;
  const cutReady = ready > MAX_CAPACITY;
  const room = cutReady ? MAX_CAPACITY : MAX_CAPACITY - ready;
  const total = cutReady ? ready : notReady;
  let left = room;
  return subsets.map(({ addresses = [], notReadyAddresses = [], ports }) => {
    const cut = cutReady ? addresses : notReadyAddresses;
    const kept = cut.slice(0, Math.min(left, Math.ceil((cut.length / total) * room)));
    left -= kept.length;
    const readyOnes = cutReady ? kept : addresses;
    const others = cutReady ? [] : kept;
    return {
      ...(readyOnes.length === 0 ? {} : { addresses: readyOnes }),
      ...(others.length === 0 ? {} : { notReadyAddresses: others }),
      ...(ports === undefined ? {} : { ports }),
    };
  });
}

function byAddress(a: EndpointAddress, b: EndpointAddress): number {
  if (a.ip !== b.ip) return a.ip < b.ip ? -1 : 1;
  return (a.targetRef?.uid ?? '') < (b.targetRef?.uid ?? '') ? -1 : 1;
}

/** Sorted by FNV-128a of how Go prints them (endpoints utils' portsByHash and subsetsByHash). */
function byHash<T>(type: 'EndpointPort' | 'EndpointSubset', items: readonly T[]): T[] {
  if (items.length < 2) return [...items];
  const schema = schemaFor(`io.k8s.api.core.v1.${type}`);
  return items
    .map((item) => ({ item, hash: fnv128a(Buffer.from(goDump(schema, item))) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0))
    .map(({ item }) => item);
}

function fnv128a(bytes: Uint8Array): bigint {
  let hash = 0x6c62272e07bb014262b821756295c58dn;
  for (const byte of bytes) hash = BigInt.asUintN(128, (hash ^ BigInt(byte)) * 0x1000000000000000000013bn);
  return hash;
}
