import { formatTime, isConflict } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type {
  AllocationResult,
  DeviceClass,
  ResourceClaim,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { deviceID } from '../devices/device-pools.ts';
import { DeviceSelectors } from '../devices/device-selectors.ts';
import { claimFinalizer, consumerOf } from '../devices/pod-claims.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { PodDevices, type DevicePlan } from './pod-devices.ts';

/** As often a write of a claim is tried again that somebody else has changed (retry.DefaultRetry). */
const maxTries = 5;

/** Knows what devices there are and who has them, and writes down who gets which (plugin DynamicResources, 1.36). */
export class DeviceBinding {
  readonly #context: ControllerContext;
  readonly #claims: SharedInformer<ResourceClaim>;
  readonly #slices: SharedInformer<ResourceSlice>;
  readonly #classes: SharedInformer<DeviceClass>;
  readonly #selectors = new DeviceSelectors();
  /** By uid of the claim: what it is about to get, or has got without the informer showing it yet. */
  readonly #inFlight = new Map<string, AllocationResult>();
  /** By key: claims as they were written last, until the informer shows them. */
  readonly #written = new Map<string, ResourceClaim>();

  constructor(context: ControllerContext, onChange: () => void) {
    const { informers } = context;
    this.#context = context;
    this.#claims = informers.informer(resources.resourceclaims);
    this.#slices = informers.informer(resources.resourceslices);
    this.#classes = informers.informer(resources.deviceclasses);
    const seen = (claim: ResourceClaim): void => {
      if (this.#written.get(keyOf(claim))?.metadata?.resourceVersion === claim.metadata?.resourceVersion)
        this.#written.delete(keyOf(claim));
      onChange();
    };
    this.#claims.addHandlers({
      onAdd: seen,
      onUpdate: seen,
      onDelete: (claim) => {
        this.#written.delete(keyOf(claim));
        onChange();
      },
    });
    for (const informer of [this.#slices, this.#classes])
      informer.addHandlers({ onAdd: onChange, onUpdate: onChange, onDelete: onChange });
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#claims, this.#slices, this.#classes].map((informer) => informer.waitForSync(signal)));
  }

  /** Undefined for a pod without claims for devices. */
  devicesOf(pod: Pod): PodDevices | undefined {
    if ((pod.spec?.resourceClaims ?? []).length === 0) return undefined;
    return new PodDevices(pod, {
      claim: (key) => this.#claim(key),
      isInFlight: (uid) => this.#inFlight.has(uid),
      slices: this.#slices.list(),
      classOf: (name) => this.#classes.get(name),
      taken: this.#taken(),
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

  /** Writes devices and the pod into the claims of a plan. @throws StatusError, Error when somebody was quicker */
  async bind({ claims }: DevicePlan, pod: Pod): Promise<void> {
    for (const { allocation, claim } of claims) await this.#bindClaim(claim, allocation, pod);
  }

  /** Takes a claim's devices back, so that it can have others. @throws StatusError */
  async free(claim: ResourceClaim): Promise<void> {
    await this.#context.client.resource(resources.resourceclaims).update({ ...claim, status: {} }, 'status');
  }

  async #bindClaim(claim: ResourceClaim, allocation: AllocationResult | undefined, pod: Pod): Promise<void> {
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
        const written = await claims.update(
          {
            ...latest,
            status: {
              ...latest.status,
              allocation: { ...given, allocationTimestamp },
              reservedFor: [...(latest.status?.reservedFor ?? []), consumerOf(pod)],
            },
          },
          'status',
        );
        if (this.#claims.get(keyOf(written))?.metadata?.resourceVersion !== written.metadata?.resourceVersion)
          this.#written.set(keyOf(written), written);
        return;
      } catch (error) {
        if (!isConflict(error) || tries >= maxTries) throw error;
        latest = await claims.get({ name, namespace });
      }
    }
  }

  #claim(key: string): ResourceClaim | undefined {
    const known = this.#claims.get(key);
    const written = this.#written.get(key);
    return known !== undefined && written?.metadata?.uid === known.metadata?.uid ? written : known;
  }

  /** Devices that nobody else can have. */
  #taken(): ReadonlySet<string> {
    const allocations = [
      ...this.#claims.list().flatMap((claim) => this.#claim(keyOf(claim))?.status?.allocation ?? []),
      ...this.#inFlight.values(),
    ];
    return new Set(
      allocations.flatMap(({ devices }) =>
        (devices?.results ?? [])
          .filter(({ adminAccess }) => adminAccess !== true)
          .map(({ device, driver, pool }) => deviceID(driver, pool, device)),
      ),
    );
  }
}
