import { append, schemaFor } from '@kubechain/apimachinery';
import type { EndpointAddress, EndpointPort, EndpointSubset } from '@kubechain/apimachinery/types/core/v1';
import { goDump } from '../go-dump/go-dump.ts';

/** As many addresses as an Endpoints object may have. */
const MAX_CAPACITY = 1000;

/** Subsets are packed of so many pairs of a port and an address at the most: far more than an object has room for. */
const MOST_PAIRS = 50_000;

/** One address and its ports; the one port `undefined` for headless services that name none. */
export interface AddressPorts {
  readonly address: EndpointAddress;
  /** One and the same list for all addresses that have these ports. */
  readonly ports: readonly (EndpointPort | undefined)[];
  readonly ready: boolean;
}

/** Addresses by ip and pod, and whether they are ready. */
type States = ReadonlyMap<string, boolean>;

/**
 * Puts addresses together: ports with the same addresses in the same states are one subset (endpoints utils'
 * RepackSubsets). All is in the reference's order, which for ports and subsets is that of their hashes, so that the
 * same endpoints always make the same bytes.
 */
export function packSubsets(endpoints: readonly AddressPorts[]): EndpointSubset[] {
  const addresses = new Map<string, EndpointAddress>();
  const byPorts = new Map<AddressPorts['ports'], Map<string, boolean>>();
  for (const { address, ports, ready } of endpoints) {
    const key = JSON.stringify([address.ip, address.targetRef?.uid ?? '']);
    addresses.set(key, address);
    let states = byPorts.get(ports);
    if (states === undefined) byPorts.set(ports, (states = new Map()));
    // Not ready wins.
    states.set(key, (states.get(key) ?? true) && ready);
  }
  const packed = new Map<string, { readonly ports: EndpointPort[]; readonly states: States }>();
  let pairs = 0;
  for (const { ports, states } of portsByStates(byPorts)) {
    pairs += states.size;
    if (pairs > MOST_PAIRS && packed.size > 0) break;
    const key = JSON.stringify([...states].sort(([a], [b]) => (a < b ? -1 : 1)));
    const entry = packed.get(key) ?? { ports: [], states };
    append(entry.ports, ports);
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

/** The ports that are on the same lists, and all addresses of these. */
function* portsByStates(
  byPorts: ReadonlyMap<AddressPorts['ports'], States>,
): Generator<{ readonly ports: readonly EndpointPort[]; readonly states: States }> {
  const lists = new Map<string, { readonly port: EndpointPort | undefined; readonly of: number[] }>();
  const all = [...byPorts.values()];
  let pairs = 0;
  for (const [index, ports] of [...byPorts.keys()].entries())
    for (const port of ports) {
      if (++pairs > MOST_PAIRS) break;
      const key = JSON.stringify(port ?? null);
      const entry = lists.get(key);
      if (entry === undefined) lists.set(key, { port, of: [index] });
      else entry.of.push(index);
    }
  for (const entries of Map.groupBy(lists.values(), ({ of }) => of.join()).values())
    yield {
      ports: entries.map(({ port }) => port).filter((port) => port !== undefined),
      states: union(entries[0]!.of.map((index) => all[index]!)),
    };
}

function union([first = new Map(), ...others]: readonly States[]): States {
  if (others.length === 0) return first;
  const states = new Map(first);
  for (const other of others) for (const [key, ready] of other) states.set(key, (states.get(key) ?? true) && ready);
  return states;
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

/** In words of 16 bits, the lowest first, whose products are small integers: bigints take ten times as long. */
function fnv128a(bytes: Uint8Array): bigint {
  let [a, b, c, d] = [0xc58d, 0x6295, 0x2175, 0x62b8];
  let [e, f, g, h] = [0x0142, 0x07bb, 0x272e, 0x6c62];
  for (const byte of bytes) {
    a ^= byte;
    // Times 2^88 + 315.
    const [low, middle, high] = [a, b, c];
    a = low * 315;
    b = middle * 315 + (a >>> 16);
    c = high * 315 + (b >>> 16);
    d = d * 315 + (c >>> 16);
    e = e * 315 + (d >>> 16);
    f = f * 315 + (e >>> 16) + ((low << 8) & 0xffff);
    g = g * 315 + (f >>> 16) + (low >>> 8) + ((middle << 8) & 0xffff);
    h = h * 315 + (g >>> 16) + (middle >>> 8) + ((high << 8) & 0xffff);
    a &= 0xffff;
    b &= 0xffff;
    c &= 0xffff;
    d &= 0xffff;
    e &= 0xffff;
    f &= 0xffff;
    g &= 0xffff;
    h &= 0xffff;
  }
  return [h, g, f, e, d, c, b, a].reduce((hash, word) => (hash << 16n) | BigInt(word), 0n);
}
