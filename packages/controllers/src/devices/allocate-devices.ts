import { Quantity } from '@kubechain/apimachinery';
import type { Node, NodeSelectorRequirement } from '@kubechain/apimachinery/types/core/v1';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceAttribute,
  DeviceClass,
  DeviceConstraint,
  ResourceClaim,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { consumedOf, hasRoom, type Capacities } from './consumed-capacity.ts';
import { deviceID, poolsFor, type DevicePool, type OfferedDevice } from './device-pools.ts';
import { isMeant, waysOf, type RequestedDevices } from './device-request.ts';
import { SelectorError, type DeviceSelectors } from './device-selectors.ts';
import { keepsAway } from './device-taints.ts';

export interface AllocationView {
  readonly slices: readonly ResourceSlice[];
  readonly classOf: (name: string) => DeviceClass | undefined;
  /** Devices that claims have for themselves, by `driver/pool/name`. */
  readonly taken: ReadonlySet<string>;
  /** Devices that several claims may have, by the same: what each of them has of it. */
  readonly shared: ReadonlyMap<string, readonly Capacities[]>;
  /** A new uid for a share of a device. */
  readonly newShareID: () => string;
  readonly selectors: DeviceSelectors;
}

type DeviceResult = NonNullable<NonNullable<AllocationResult['devices']>['results']>[number];

/** AllocationResultsMaxSize, 1.36. */
const maxResults = 32;
/** So many devices are tried at most for one node: the search may not hold the scheduler for seconds. */
const maxSteps = 20_000;

interface Chosen {
  readonly way: RequestedDevices;
  readonly offered: OfferedDevice;
  /** Of one that several claims may have: what is taken of it. */
  readonly share?: Capacities;
}

/** Nothing can be given on this node, for a reason that is worth telling. */
export class NodeAllocationError extends Error {
  override readonly name = 'NodeAllocationError';
}

/**
 * Finds devices on a node for all claims together: the first solution in the order of pools, slices and devices, with
 * requests' alternatives in their order. Undefined where there is none. Source: structured allocator (1.36).
 * @throws NodeAllocationError where pools of the node are broken; SelectorError for expressions that fail
 */
export function allocateDevices(
  node: Node,
  claims: readonly ResourceClaim[],
  view: AllocationView,
): readonly AllocationResult[] | undefined {
  const pools = poolsFor(node, view.slices);
  const search = new Search(pools, claims, view);
  const found = search.run();
  if (found !== undefined) return claims.map((claim, i) => resultOf(claim, { chosen: found[i]!, node, view }));
  if (pools.some(({ problem }) => problem === 'invalid'))
    throw new NodeAllocationError('invalid resource pools were encountered');
  return undefined;
}

/** Tries devices one after the other for one place after the other, and goes back where it does not work out. */
class Search {
  readonly #pools: readonly DevicePool[];
  readonly #claims: readonly ResourceClaim[];
  readonly #view: AllocationView;
  readonly #chosen: Chosen[][];
  readonly #using = new Set<string>();
  /** Shares of devices that were chosen, by device. */
  readonly #sharing = new Map<string, Capacities[]>();
  #steps = 0;

  constructor(pools: readonly DevicePool[], claims: readonly ResourceClaim[], view: AllocationView) {
    this.#pools = pools;
    this.#claims = claims;
    this.#view = view;
    this.#chosen = claims.map(() => []);
  }

  run(): readonly (readonly Chosen[])[] | undefined {
    return this.#meet(0, 0) ? this.#chosen : undefined;
  }

  #meet(claimIndex: number, requestIndex: number): boolean {
    const claim = this.#claims[claimIndex];
    if (claim === undefined) return true;
    const request = claim.spec.devices?.requests?.[requestIndex];
    if (request === undefined) return this.#meet(claimIndex + 1, 0);
    return waysOf(request).some((way) => this.#meetBy(way, claimIndex, requestIndex));
  }

  #meetBy(way: RequestedDevices, claimIndex: number, requestIndex: number): boolean {
    const next = (): boolean => this.#meet(claimIndex, requestIndex + 1);
    if (way.allocationMode !== 'All') return this.#take(way, { claimIndex, left: way.count ?? 1, from: 0, next });
    if (this.#pools.some(({ problem }) => problem !== undefined)) return false;
    const all = this.#selectable(way, claimIndex);
    if (all.length === 0) return false;
    const chosen = this.#chosen[claimIndex]!;
    const before = chosen.length;
    for (const offered of all) {
      if (!this.#fits(way, offered, claimIndex)) {
        this.#release(claimIndex, before);
        return false;
      }
      this.#use(way, offered, claimIndex);
    }
    if (next()) return true;
    this.#release(claimIndex, before);
    return false;
  }

  #take(
    way: RequestedDevices,
    place: { readonly claimIndex: number; readonly left: number; readonly from: number; readonly next: () => boolean },
  ): boolean {
    if (place.left === 0) return place.next();
    const devices = this.#selectable(way, place.claimIndex);
    const chosen = this.#chosen[place.claimIndex]!;
    for (let i = place.from; i < devices.length; i++) {
      if (++this.#steps > maxSteps) return false;
      const offered = devices[i]!;
      if (!this.#fits(way, offered, place.claimIndex)) continue;
      const before = chosen.length;
      this.#use(way, offered, place.claimIndex);
      if (this.#take(way, { ...place, left: place.left - 1, from: i + 1 })) return true;
      this.#release(place.claimIndex, before);
    }
    return false;
  }

  readonly #known = new Map<RequestedDevices, readonly OfferedDevice[]>();

  /** Devices that a request may have, taken or not. */
  #selectable(way: RequestedDevices, claimIndex: number): readonly OfferedDevice[] {
    const known = this.#known.get(way);
    if (known !== undefined) return known;
    const kind = this.#view.classOf(way.deviceClassName);
    const { name = '', namespace = '' } = this.#claims[claimIndex]!.metadata ?? {};
    const { selectors } = this.#view;
    const found = this.#pools.flatMap(({ devices }) =>
      devices.filter(
        (offered) =>
          kind !== undefined &&
          selectors.matchesAll(kind.spec.selectors ?? [], offered, `class ${way.deviceClassName}`) &&
          selectors.matchesAll(way.selectors ?? [], offered, `claim ${namespace}/${name}`),
      ),
    );
    this.#known.set(way, found);
    return found;
  }

  #fits(way: RequestedDevices, offered: OfferedDevice, claimIndex: number): boolean {
    if (this.#chosen[claimIndex]!.length >= maxResults) return false;
    if (keepsAway(offered.device.taints ?? [], way.tolerations ?? [])) return false;
    if (way.adminAccess !== true && (this.#view.taken.has(offered.id) || this.#using.has(offered.id))) return false;
    if (way.adminAccess === true && this.#hasItself(offered, claimIndex)) return false;
    const consumed = consumedOf(offered.device, way.capacity);
    if (consumed === undefined || !hasRoom(offered.device, consumed, this.#sharesOf(offered))) return false;
    // Who shares a device has its counters already.
    const isShared = offered.device.allowMultipleAllocations === true && this.#sharesOf(offered).length > 0;
    if (way.adminAccess !== true && !isShared && !this.#hasCounters(offered)) return false;
    const constraints = this.#claims[claimIndex]!.spec.devices?.constraints ?? [];
    return constraints.every((constraint) => this.#holds(constraint, { way, offered }, claimIndex));
  }

  #use(way: RequestedDevices, offered: OfferedDevice, claimIndex: number): void {
    if (offered.device.allowMultipleAllocations === true) {
      const share = consumedOf(offered.device, way.capacity) ?? new Map();
      this.#chosen[claimIndex]!.push({ way, offered, share });
      this.#sharing.set(offered.id, [...(this.#sharing.get(offered.id) ?? []), share]);
      return;
    }
    this.#chosen[claimIndex]!.push({ way, offered });
    if (way.adminAccess !== true) this.#using.add(offered.id);
  }

  #release(claimIndex: number, length: number): void {
    for (const { offered, share, way } of this.#chosen[claimIndex]!.splice(length))
      if (share !== undefined)
        this.#sharing.set(
          offered.id,
          (this.#sharing.get(offered.id) ?? []).filter((each) => each !== share),
        );
      else if (way.adminAccess !== true) this.#using.delete(offered.id);
  }

  #sharesOf({ id }: OfferedDevice): readonly Capacities[] {
    return [...(this.#view.shared.get(id) ?? []), ...(this.#sharing.get(id) ?? [])];
  }

  /** Whether a claim has a device already, which administrators' access gives it once. */
  #hasItself({ device, id }: OfferedDevice, claimIndex: number): boolean {
    return (
      device.allowMultipleAllocations !== true && this.#chosen[claimIndex]!.some(({ offered }) => offered.id === id)
    );
  }

  #holds(
    { distinctAttribute, matchAttribute, requests }: DeviceConstraint,
    { offered, way }: Chosen,
    claimIndex: number,
  ): boolean {
    if (!isMeant(requests, way)) return true;
    const attribute = matchAttribute ?? distinctAttribute;
    if (attribute === undefined) return false;
    const own = attributeOf(offered, attribute);
    if (own === undefined) return false;
    const others = this.#chosen[claimIndex]!.filter((other) => isMeant(requests, other.way));
    return others.every((other) => {
      const same = JSON.stringify(attributeOf(other.offered, attribute)) === JSON.stringify(own);
      return same === (matchAttribute !== undefined);
    });
  }

  /** Whether what devices of the pool share is enough for one more. */
  #hasCounters({ device, pool }: OfferedDevice): boolean {
    const wanted = device.consumesCounters ?? [];
    if (wanted.length === 0) return true;
    const inUse = pool.slices.flatMap(({ spec }) =>
      (spec.devices ?? []).filter(({ name }) => {
        const id = deviceID(spec.driver, spec.pool.name, name);
        return (
          this.#view.taken.has(id) ||
          this.#using.has(id) ||
          this.#view.shared.has(id) ||
          (this.#sharing.get(id) ?? []).length > 0
        );
      }),
    );
    const sets = pool.slices.flatMap(({ spec }) => spec.sharedCounters ?? []);
    return wanted.every(({ counterSet, counters }) =>
      Object.entries(counters).every(([name, { value }]) => {
        const all = Quantity.parse(sets.find((set) => set.name === counterSet)?.counters[name]?.value ?? '0');
        const used = inUse
          .flatMap(({ consumesCounters = [] }) => consumesCounters)
          .filter((other) => other.counterSet === counterSet && other.counters[name] !== undefined)
          .reduce((sum, other) => sum.add(Quantity.parse(other.counters[name]!.value)), Quantity.parse(value));
        return used.compare(all) <= 0;
      }),
    );
  }
}

/** Names without a domain are the driver's. */
function attributeOf({ device, slice }: OfferedDevice, name: string): DeviceAttribute | undefined {
  const [domain, id] = name.split('/', 2);
  const own = domain === slice.spec.driver ? device.attributes?.[id ?? ''] : undefined;
  return device.attributes?.[name] ?? own;
}

function resultOf(
  { spec }: ResourceClaim,
  { chosen, node, view }: { readonly chosen: readonly Chosen[]; readonly node: Node; readonly view: AllocationView },
): AllocationResult {
  const results = chosen.map((each) => resultFor(each, view));
  const ways = new Map(chosen.map(({ way }) => [way.name, way]));
  const config: DeviceAllocationConfiguration[] = [];
  for (const [name, all] of Map.groupBy(ways.values(), ({ deviceClassName }) => deviceClassName))
    for (const each of view.classOf(name)?.spec.config ?? [])
      config.push({ ...each, source: 'FromClass', requests: all.map((way) => way.name) });
  for (const each of spec.devices?.config ?? [])
    if ([...ways.values()].some((way) => isMeant(each.requests, way))) config.push({ ...each, source: 'FromClaim' });
  const nodeSelector = selectorOf(chosen, node);
  return {
    devices: { results, ...(config.length === 0 ? {} : { config }) },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

function resultFor({ offered: { device, slice }, share, way }: Chosen, view: AllocationView): DeviceResult {
  const { bindingConditions = [], bindingFailureConditions = [] } = device;
  return {
    request: way.name,
    driver: slice.spec.driver,
    pool: slice.spec.pool.name,
    device: device.name,
    ...(way.adminAccess === true ? { adminAccess: true } : {}),
    ...((way.tolerations ?? []).length === 0 ? {} : { tolerations: way.tolerations! }),
    ...(bindingConditions.length === 0 ? {} : { bindingConditions }),
    ...(bindingFailureConditions.length === 0 ? {} : { bindingFailureConditions }),
    ...(share === undefined ? {} : { shareID: view.newShareID() }),
    ...(share === undefined || share.size === 0
      ? {}
      : { consumedCapacity: Object.fromEntries(Array.from(share, ([name, amount]) => [name, amount.toString()])) }),
  };
}

/** Where all devices can be used; undefined: everywhere. */
function selectorOf(chosen: readonly Chosen[], node: Node): AllocationResult['nodeSelector'] {
  const places = chosen.map(({ offered: { device, slice } }) =>
    slice.spec.perDeviceNodeSelection === true ? device : slice.spec,
  );
  const bound = chosen.some(({ offered }) => offered.device.bindsToNode === true) ? node.metadata?.name : undefined;
  const local = bound ?? places.find(({ nodeName }) => nodeName !== undefined)?.nodeName;
  if (local !== undefined)
    return {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [local] }] }],
    };
  const terms = places.flatMap(({ nodeSelector }) => nodeSelector?.nodeSelectorTerms[0] ?? []);
  const matchFields = distinct(terms.flatMap((term) => term.matchFields ?? []));
  const matchExpressions = distinct(terms.flatMap((term) => term.matchExpressions ?? []));
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [
      {
        ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
        ...(matchFields.length === 0 ? {} : { matchFields }),
      },
    ],
  };
}

function distinct(requirements: readonly NodeSelectorRequirement[]): NodeSelectorRequirement[] {
  return [...new Map(requirements.map((each) => [JSON.stringify(each), each])).values()];
}

/** Whether an error says that a claim's or a class's expression is wrong. */
export function isSelectorError(error: unknown): error is SelectorError {
  return error instanceof SelectorError;
}
