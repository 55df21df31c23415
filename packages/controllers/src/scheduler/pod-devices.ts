import { Quantity } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { AllocationResult, DeviceClass, ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import {
  allocateDevices,
  isSelectorError,
  NodeAllocationError,
  type AllocationView,
} from '../devices/allocate-devices.ts';
import { selectsNode } from '../devices/device-pools.ts';
import { classesOf } from '../devices/device-request.ts';
import { extendedClaim, type RequestMapping } from '../devices/extended-resources.ts';
import { keyOf } from '../informers/object-key.ts';
import { amountOf, demandOf } from './pod-demand.ts';
import { canBeReserved, claimNamesOf, isOwnedBy, isReservedFor } from '../devices/pod-claims.ts';

/** FirstAvailableDeviceRequestMaxSize, 1.36. */
const mostWays = 8;

/** A claim has devices that the node cannot use. */
export const devicesElsewhere = 'resourceclaim not available on the node';

/** Looks up what a pod's claims for devices are. */
export interface DevicesView extends AllocationView {
  /** `key` is `namespace/name`. */
  claim(key: string): ResourceClaim | undefined;
  /** Whether another pod is about to get devices for it. */
  isInFlight(uid: string): boolean;
  /** Whether the devices of a claim cannot be made ready, or not in time. */
  isLost(claim: ResourceClaim): boolean;
  /** The class of devices behind an extended resource. */
  classBehind(resource: string): DeviceClass | undefined;
}

/** Devices for claims that have none, before the pod is bound. */
export interface DevicePlan {
  /** Those that the pod is to be noted in. */
  readonly claims: readonly PlannedClaim[];
}

export interface PlannedClaim {
  readonly claim: ResourceClaim;
  readonly allocation: AllocationResult | undefined;
  /** Of a claim for extended resources, which is still to be made: what meets them. */
  readonly mappings?: readonly RequestMapping[];
}

/** A claim's or a class's expression cannot be evaluated: the pod is tried again, whatever happens. */
export class DevicesError extends Error {
  override readonly name = 'DevicesError';
}

/** What a pod's claims for devices say about nodes (plugin DynamicResources, 1.36). */
export class PodDevices {
  /** Why no node does at all. */
  readonly problem: string | undefined;
  /** A claim is not there, or not the pod's: nothing is said of the pod until it is (PreEnqueue). */
  readonly isAwaited: boolean;
  readonly #pod: Pod;
  readonly #view: DevicesView;
  readonly #claims: readonly ResourceClaim[];
  readonly #found = new Map<string, DevicePlan | string>();
  /** Extended resources that devices stand behind, by their names in order: their classes. */
  readonly #extended: ReadonlyMap<string, string>;

  constructor(pod: Pod, view: DevicesView) {
    this.#pod = pod;
    this.#view = view;
    const claims: ResourceClaim[] = [];
    let isAwaited = false;
    for (const { generated, name } of claimNamesOf(pod)) {
      if (name === '') continue;
      const claim = name === undefined ? undefined : view.claim(`${pod.metadata?.namespace ?? ''}/${name}`);
      const isThere =
        claim !== undefined && claim.metadata?.deletionTimestamp === undefined && (!generated || isOwnedBy(claim, pod));
      if (!isThere) {
        isAwaited = true;
        continue;
      }
      this.problem ??= this.#problemOf(claim);
      claims.push(claim);
    }
    this.isAwaited = isAwaited;
    this.#claims = claims;
    this.#extended = extendedOf(pod, view);
  }

  /** Whether a node's lack of a resource is made up for by devices. */
  standsFor(resource: string, allocatable: number): boolean {
    return allocatable === 0 && this.#extended.has(resource);
  }

  /** How far up a node's devices are in the lists of those that the claims would take. */
  scoreOf(node: Node): number {
    const plan = this.planFor(node);
    if (isDeviceRefusal(plan)) return 0;
    let score = 0;
    for (const claim of this.#claims) {
      const planned = plan.claims.find((each) => each.claim === claim)?.allocation;
      const results = (planned ?? claim.status?.allocation)?.devices?.results ?? [];
      const given = new Set(results.map(({ request }) => request));
      for (const { firstAvailable = [], name } of claim.spec.devices?.requests ?? [])
        for (const [i, way] of firstAvailable.entries()) if (given.has(`${name}/${way.name}`)) score += mostWays - i;
    }
    return score;
  }

  /** Claims that have devices on other nodes, and that nobody else uses: they can give them back. */
  claimsToFree(): readonly ResourceClaim[] {
    return this.#claims.filter(({ status }) => {
      const users = status?.reservedFor ?? [];
      return (
        status?.allocation !== undefined &&
        (users.length === 0 || (users.length === 1 && users[0]!.uid === this.#pod.metadata?.uid))
      );
    });
  }

  /** What is to be done for a node, or why the node does not do. @throws DevicesError */
  planFor(node: Node): DevicePlan | string {
    const name = node.metadata?.name ?? '';
    let found = this.#found.get(name);
    if (found === undefined) this.#found.set(name, (found = this.#plan(node)));
    return found;
  }

  #plan(node: Node): DevicePlan | string {
    const elsewhere = this.#claims.some((claim) => {
      const selector = claim.status?.allocation?.nodeSelector;
      return (selector !== undefined && !selectsNode(selector, node)) || this.#view.isLost(claim);
    });
    const extended = extendedClaim(
      this.#pod,
      new Map([...this.#extended].filter(([name]) => this.standsFor(name, allocatableOf(node, name)))),
    );
    const open = [
      ...this.#claims.filter(({ status }) => status?.allocation === undefined),
      ...(extended === undefined ? [] : [extended.claim]),
    ];
    let allocations: readonly AllocationResult[] = [];
    if (open.length > 0) {
      try {
        const found = allocateDevices(node, open, this.#view);
        if (found === undefined) return 'cannot allocate all claims';
        allocations = found;
      } catch (error) {
        if (error instanceof NodeAllocationError) return error.message;
        if (isSelectorError(error)) throw new DevicesError(error.message, { cause: error });
        throw error;
      }
    }
    if (elsewhere) return devicesElsewhere;
    const byClaim = new Map(open.map((claim, i) => [claim, allocations[i]]));
    const planned = this.#claims
      .filter((claim) => !isReservedFor(claim, this.#pod))
      .map((claim): PlannedClaim => ({ claim, allocation: byClaim.get(claim) }));
    if (extended === undefined) return { claims: planned };
    const { claim, mappings } = extended;
    return { claims: [...planned, { claim, mappings, allocation: byClaim.get(claim) }] };
  }

  #problemOf(claim: ResourceClaim): string | undefined {
    if (claim.status?.allocation !== undefined)
      return canBeReserved(claim) || isReservedFor(claim, this.#pod) ? undefined : 'resourceclaim in use';
    if (this.#view.isInFlight(claim.metadata?.uid ?? ''))
      return `resource claim ${keyOf(claim)} is in the process of being allocated`;
    for (const [request, kind] of classesOf(claim.spec.devices ?? {}))
      if (this.#view.classOf(kind) === undefined) return `request ${request}: device class ${kind} does not exist`;
    return undefined;
  }
}

/** Whether a plan says why there is none. */
export function isDeviceRefusal(plan: DevicePlan | string): plan is string {
  return typeof plan === 'string';
}

/** Whether a pod has anything to do with devices. */
export function concernsDevices(pod: Pod, view: Pick<DevicesView, 'classBehind'>): boolean {
  return (pod.spec?.resourceClaims ?? []).length > 0 || extendedOf(pod, view).size > 0;
}

function extendedOf(pod: Pod, view: Pick<DevicesView, 'classBehind'>): ReadonlyMap<string, string> {
  const classes = new Map<string, string>();
  // Nearly all pods ask for CPU and memory at most: they are not to be added up for this.
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const asks = [...initContainers, ...containers].some(({ resources }) =>
    Object.keys(resources?.requests ?? {}).some((name) => name.includes('/')),
  );
  if (!asks) return classes;
  for (const [name, amount] of demandOf(pod)) {
    const behind = amount > 0 && name.includes('/') ? view.classBehind(name)?.metadata?.name : undefined;
    if (behind !== undefined) classes.set(name, behind);
  }
  return classes;
}

function allocatableOf({ status }: Node, resource: string): number {
  return amountOf(resource, Quantity.parse(status?.allocatable?.[resource] ?? '0'));
}
