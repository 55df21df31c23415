import { formatTime, isConflict, messageOf, Quantity, sleep } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type {
  AllocationResult,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { AllocationView } from '../devices/allocate-devices.ts';
import { bindingStateOf, hasBindingConditions, isBindingOverdue } from '../devices/binding-state.ts';
import type { Capacities } from '../devices/consumed-capacity.ts';
import { deviceID } from '../devices/device-pools.ts';
import { DeviceSelectors } from '../devices/device-selectors.ts';
import { classBehind, type RequestMapping } from '../devices/extended-resources.ts';
import { claimFinalizer, consumerOf } from '../devices/pod-claims.ts';
import { keyOf } from '../informers/object-key.ts';
import { NewestObjects } from '../informers/newest-objects.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { concernsDevices, PodDevices, type DevicePlan } from './pod-devices.ts';

/** As often a write of a claim is tried again that somebody else has changed (retry.DefaultRetry). */
const maxTries = 5;
/** How often it is looked whether devices are ready, besides when claims change. */
const bindingPollMs = 5_000;

/** Knows what devices there are and who has them, and writes down who gets which (plugin DynamicResources, 1.36). */
export class DeviceBinding {
  readonly #context: ControllerContext;
  readonly #claimInformer: SharedInformer<ResourceClaim>;
  readonly #claims: NewestObjects<ResourceClaim>;
  readonly #slices: SharedInformer<ResourceSlice>;
  readonly #classes: SharedInformer<DeviceClass>;
  readonly #selectors = new DeviceSelectors();
  /** By uid of the claim: what it is about to get, or has got without the informer showing it yet. */
  readonly #inFlight = new Map<string, AllocationResult>();
  /** Told when claims have changed, or may have. */
  #changed = Promise.withResolvers<void>();

  constructor(context: ControllerContext, onChange: () => void) {
    const { informers } = context;
    this.#context = context;
    this.#claimInformer = informers.informer(resources.resourceclaims);
    this.#claims = new NewestObjects(this.#claimInformer);
    this.#slices = informers.informer(resources.resourceslices);
    this.#classes = informers.informer(resources.deviceclasses);
    const seen = (): void => {
      this.#changed.resolve();
      onChange();
    };
    this.#claimInformer.addHandlers({ onAdd: seen, onUpdate: seen, onDelete: onChange });
    for (const informer of [this.#slices, this.#classes])
      informer.addHandlers({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all(
      [this.#claimInformer, this.#slices, this.#classes].map((informer) => informer.waitForSync(signal)),
    );
  }

  /** Undefined for a pod without claims for devices. */
  devicesOf(pod: Pod): PodDevices | undefined {
    const behind = (resource: string): DeviceClass | undefined => classBehind(resource, this.#classes.list());
    if (!concernsDevices(pod, { classBehind: behind })) return undefined;
    const { clock, random } = this.#context;
    return new PodDevices(pod, {
      claim: (key) => this.#claims.get(key),
      classBehind: behind,
      isInFlight: (uid) => this.#inFlight.has(uid),
      isLost: (claim) => {
        const state = bindingStateOf(claim);
        return state.kind === 'failed' || (state.kind === 'pending' && isBindingOverdue(claim, clock.now()));
      },
      newShareID: () => uidOf(random),
      slices: this.#slices.list(),
      classOf: (name) => this.#classes.get(name),
      ...this.#inUse(),
      selectors: this.#selectors,
    });
  }

  /** Keeps a plan's devices from other pods, until it is carried out or `drop`ped. */
  keep({ claims }: DevicePlan): void {
    for (const { allocation, claim } of claims)
      if (allocation !== undefined) this.#inFlight.set(claim.metadata?.uid ?? '', allocation);
  }

  drop({ claims }: DevicePlan): void {
    for (const { allocation, claim } of claims)
      if (allocation !== undefined) this.#inFlight.delete(claim.metadata?.uid ?? '');
  }

  /**
   * Writes devices and the pod into the claims of a plan, and waits for devices that are still to be made ready, which
   * `onPending` is told of. @throws StatusError, Error when somebody was quicker, or a device does not become ready
   */
  async bind({ claims }: DevicePlan, pod: Pod, onPending: () => void): Promise<void> {
    const bound: ResourceClaim[] = [];
    let made: ResourceClaim | undefined;
    try {
      for (const { allocation, claim, mappings } of claims) {
        const latest = mappings === undefined ? claim : (made = await this.#make(claim));
        bound.push(await this.#bindClaim(latest, allocation, pod));
        if (mappings !== undefined) await this.#noteClaim(pod, latest, mappings);
      }
      await this.#waitForDevices(bound, onPending);
    } catch (error) {
      if (!this.#context.signal.aborted) await this.#unbind(bound, made, pod);
      throw error;
    }
  }

  /** A claim for extended resources, as it is planned. */
  #make({ metadata, ...claim }: ResourceClaim): Promise<ResourceClaim> {
    const { uid: _uid, ...planned } = metadata ?? {};
    return this.#context.client.resource(resources.resourceclaims).create({ metadata: planned, ...claim });
  }

  /** Tells in a pod's status which claim its extended resources are met by. */
  async #noteClaim(pod: Pod, claim: ResourceClaim, requestMappings: readonly RequestMapping[]): Promise<void> {
    const { name = '', namespace } = pod.metadata ?? {};
    const extendedResourceClaimStatus = { resourceClaimName: claim.metadata?.name, requestMappings };
    await this.#context.client
      .resource(resources.pods)
      .patch({ name, namespace }, { status: { extendedResourceClaimStatus } }, { subresource: 'status' });
  }

  /** Binding has failed: the pod does not use its claims, and one that was made for it is not needed. */
  async #unbind(bound: readonly ResourceClaim[], made: ResourceClaim | undefined, pod: Pod): Promise<void> {
    const claims = this.#context.client.resource(resources.resourceclaims);
    const quietly = async (what: Promise<unknown>): Promise<void> => {
      try {
        await what;
      } catch (error) {
        this.#context.log.info('cannot give a claim back', { err: messageOf(error) }, 2);
      }
    };
    for (const { metadata } of bound)
      await quietly(
        claims.patch(
          { name: metadata?.name ?? '', namespace: metadata?.namespace },
          {
            metadata: { uid: metadata?.uid },
            status: { reservedFor: [{ $patch: 'delete', uid: pod.metadata?.uid }] },
          },
          { type: 'application/strategic-merge-patch+json', subresource: 'status' },
        ),
      );
    if (made === undefined) return;
    const at = { name: made.metadata?.name ?? '', namespace: made.metadata?.namespace };
    await quietly(claims.patch(at, { metadata: { finalizers: null } }));
    await quietly(claims.delete(at));
  }

  async #waitForDevices(bound: readonly ResourceClaim[], onPending: () => void): Promise<void> {
    if (!bound.some(hasBindingConditions)) return;
    const { clock, signal } = this.#context;
    onPending();
    for (const latest = (claim: ResourceClaim) => this.#claims.get(keyOf(claim)) ?? claim; !signal.aborted;) {
      const states = bound.map((claim) => ({ claim: latest(claim), ...bindingStateOf(latest(claim)) }));
      const failed = states.find(({ kind }) => kind === 'failed');
      if (failed?.kind === 'failed') throw new Error(`device binding failed: ${failed.why}`);
      const pending = states.find(({ kind }) => kind === 'pending');
      if (pending === undefined) return;
      if (isBindingOverdue(pending.claim, clock.now()))
        throw new Error(`device binding timeout: claim=${pending.claim.metadata?.name ?? ''}`);
      this.#changed = Promise.withResolvers<void>();
      await Promise.race([this.#changed.promise, sleep(clock, bindingPollMs, signal)]);
    }
  }

  /** Takes a claim's devices back, so that it can have others. @throws StatusError */
  async free(claim: ResourceClaim): Promise<void> {
    await this.#context.client.resource(resources.resourceclaims).update({ ...claim, status: {} }, 'status');
  }

  async #bindClaim(claim: ResourceClaim, allocation: AllocationResult | undefined, pod: Pod): Promise<ResourceClaim> {
    const claims = this.#context.client.resource(resources.resourceclaims);
    const { name = '', namespace } = claim.metadata ?? {};
    let latest = claim;
    for (let tries = 1; ; tries++) {
      try {
        if (latest.metadata?.deletionTimestamp !== undefined)
          throw new Error(`claim ${keyOf(claim)} got deleted in the meantime`);
        if (allocation !== undefined && latest.status?.allocation !== undefined)
          throw new Error(`claim ${keyOf(claim)} got allocated elsewhere in the meantime`);
        const given = allocation ?? latest.status?.allocation;
        if (given === undefined) throw new Error(`claim ${keyOf(claim)} got deallocated elsewhere in the meantime`);
        const finalizers = latest.metadata?.finalizers ?? [];
        if (!finalizers.includes(claimFinalizer))
          latest = await claims.update({
            ...latest,
            metadata: { ...latest.metadata, finalizers: [...finalizers, claimFinalizer] },
          });
        const allocationTimestamp = given.allocationTimestamp ?? formatTime(this.#context.clock.now());
        const reserved = {
          ...latest,
          status: {
            ...latest.status,
            allocation: { ...given, allocationTimestamp },
            reservedFor: [...(latest.status?.reservedFor ?? []), consumerOf(pod)],
          },
        };
        return this.#claims.wrote(await claims.update(reserved, 'status'));
      } catch (error) {
        if (!isConflict(error) || tries >= maxTries) throw error;
        latest = await claims.get({ name, namespace });
      }
    }
  }

  /** Devices that claims have: for themselves, or together with others. */
  #inUse(): Pick<AllocationView, 'shared' | 'taken'> {
    const allocations = [
      ...this.#claimInformer.list().flatMap((claim) => this.#claims.get(keyOf(claim))?.status?.allocation ?? []),
      ...this.#inFlight.values(),
    ];
    const taken = new Set<string>();
    const shared = new Map<string, Capacities[]>();
    for (const { devices } of allocations)
      for (const { adminAccess, consumedCapacity = {}, device, driver, pool, shareID } of devices?.results ?? []) {
        if (adminAccess === true) continue;
        const id = deviceID(driver, pool, device);
        if (shareID === undefined) taken.add(id);
        else {
          const amounts = Object.entries(consumedCapacity).map(
            ([name, amount]) => [name, Quantity.parse(amount)] as const,
          );
          shared.set(id, [...(shared.get(id) ?? []), new Map(amounts)]);
        }
      }
    return { taken, shared };
  }
}

/** A version 4 uid of numbers from 0 to 1. */
function uidOf(random: () => number): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(random() * 16));
  digits[12] = 4;
  digits[16] = 8 + (digits[16]! % 4);
  const hex = digits.map((digit) => digit.toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
