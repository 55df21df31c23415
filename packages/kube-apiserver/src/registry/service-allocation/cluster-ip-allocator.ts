import { isAlreadyExists, isNotFound, parseIPAddress } from '@kubechain/apimachinery';
import type { KubeObject, RepeatableDraws } from '@kubechain/apimachinery';
import type { ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import { ObjectInformer, OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';
import type { AllocationMetrics, RangeUse } from './allocation-metrics.ts';
import { AllocationError, isAllocationError } from './allocation-error.ts';
import { belongsTo, ipAddressObject } from './ip-address-object.ts';
import type { ServiceReference } from './ip-address-object.ts';
import { IPRange } from './ip-range.ts';
import type { IPFamily } from './ip-range.ts';

const addresses = { group: 'networking.k8s.io', resource: 'ipaddresses' };

export interface ClusterIPAllocatorOptions {
  /** Families of --service-cluster-ip-range; the first is the default. */
  readonly families: readonly [IPFamily, ...IPFamily[]];
  /** Asked for the stores of servicecidrs and ipaddresses when the allocator starts. */
  readonly storeOf: (group: string, plural: string) => Store;
  readonly random: () => number;
  /** Of a run that is to be repeated: draws for a service. */
  readonly repeatable?: RepeatableDraws | undefined;
  readonly onError: (error: unknown) => void;
  /** Default: nothing is counted. */
  readonly metrics?: AllocationMetrics;
}

/** A ServiceCIDR as far as allocation looks at it. */
interface FollowedCIDR {
  readonly ranges: readonly IPRange[];
  readonly ready: boolean;
}

interface Followed {
  readonly cidrs: ObjectInformer<FollowedCIDR>;
  readonly taken: ObjectInformer<true>;
  readonly addresses: Store;
  readonly writes: OwnWrites;
}

/** How one address is asked for. */
export interface AddressRequest {
  readonly service: ServiceReference;
  /** Nothing is taken; the answer is whether it could be. */
  readonly dryRun: boolean;
}

/**
 * Gives the addresses of all ServiceCIDRs that are ready to services. An address is taken by creating the IPAddress
 * of its name, so that etcd decides between processes; what is followed only says where to look first
 * (ipallocator.MetaAllocator, 1.36).
 */
export class ClusterIPAllocator {
  readonly families: readonly [IPFamily, ...IPFamily[]];
  readonly #options: ClusterIPAllocatorOptions;
  #followed: Followed | undefined;

  constructor(options: ClusterIPAllocatorOptions) {
    this.families = options.families;
    this.#options = options;
    options.metrics?.follow(() => this.#use());
  }

  /** Begins to follow ServiceCIDRs and IPAddresses; returns at once. Calls that come before do it too. */
  start(): void {
    this.#follow();
  }

  /** Resolves when the ServiceCIDRs and IPAddresses of now are known. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    const { cidrs, taken } = this.#follow();
    await Promise.all([cidrs.waitForSync(signal), taken.waitForSync(signal)]);
  }

  stop(): void {
    this.#followed?.cidrs.stop();
    this.#followed?.taken.stop();
  }

  /**
   * Takes this address. @throws AllocationError MismatchedNetwork, NotInRange or Allocated; StatusError when it cannot
   * be written
   */
  async allocate(address: string, { service, dryRun }: AddressRequest): Promise<void> {
    await this.waitForSync();
    const parsed = parseIPAddress(address);
    const text = parsed?.text ?? address;
    if (dryRun) {
      const [range] = this.#ranges(parsed?.family === 6 ? 'IPv6' : 'IPv4');
      if (range?.contains(text) === false)
        throw new AllocationError(
          'NotInRange',
          `the provided IP (${text}) is not in the valid range. The range of valid IPs is ${range.text}`,
        );
      return;
    }
    const of = this.#ranges().find((range) => range.contains(text));
    if (of === undefined)
      throw new AllocationError('MismatchedNetwork', 'the provided network does not match the current range');
    const { metrics } = this.#options;
    const startedMs = this.#nowMs();
    try {
      await this.#take(text, service);
    } catch (error) {
      metrics?.addressRefused(of.text, 'static');
      throw error;
    }
    metrics?.addressTaken(of.text, 'static', (this.#nowMs() - startedMs) / 1000);
  }

  /**
   * Takes any address of the family; a dry run answers the network's own. @throws AllocationError Full; StatusError
   * when it cannot be written
   */
  async allocateNext(family: IPFamily, { service, dryRun }: AddressRequest): Promise<string> {
    await this.waitForSync();
    const ranges = this.#ranges(family);
    if (dryRun && ranges[0] !== undefined) return ranges[0].network;
    const { taken } = this.#follow();
    const { repeatable } = this.#options;
    const { random } = repeatable?.of(`address ${service.namespace}/${service.name}`) ?? this.#options;
    const startedMs = this.#nowMs();
    for (const range of ranges) {
      for (const address of range.candidates(random)) {
        if (taken.get(address) !== undefined) continue;
        try {
          await this.#take(address, service);
          this.#options.metrics?.addressTaken(range.text, 'dynamic', (this.#nowMs() - startedMs) / 1000);
          return address;
        } catch (error) {
          // Another process, or another request, was faster: that address is gone, the next may not be.
          if (!isAllocationError(error, 'Allocated')) throw error;
        }
      }
      this.#options.metrics?.addressRefused(range.text, 'dynamic');
    }
    throw new AllocationError('Full', 'range is full');
  }

  /**
   * Gives an address back if it is the service's. Never rejects: what stays behind is cleaned up by the repair loop.
   */
  async release(address: string, service: ServiceReference): Promise<void> {
    const store = this.#follow().addresses;
    const context = internalContext({ groupResource: addresses });
    const name = parseIPAddress(address)?.text ?? address;
    try {
      const object = (await store.get(context, name, { resourceVersion: '' })).object();
      if (!belongsTo(object, service)) return;
      const { uid } = object.metadata ?? {};
      await store.delete(context, name, () => undefined, {
        dryRun: false,
        ...(uid === undefined ? {} : { preconditions: { uid } }),
      });
    } catch (error) {
      if (!isNotFound(error)) this.#options.onError(error);
    }
  }

  /** Whether there is any ServiceCIDR. */
  get hasCIDRs(): boolean {
    return this.#follow().cidrs.size > 0;
  }

  /** Whether a ServiceCIDR, ready or not, has this address for services. */
  covers(address: string): boolean {
    return [...this.#follow().cidrs.values()].some(({ ranges }) => ranges.some((range) => range.contains(address)));
  }

  /** Ranges of ServiceCIDRs that are ready, each once. */
  #ranges(family?: IPFamily): IPRange[] {
    const ranges = new Map<string, IPRange>();
    for (const cidr of this.#follow().cidrs.values()) {
      if (!cidr.ready) continue;
      for (const range of cidr.ranges)
        if (family === undefined || range.family === family) ranges.set(range.text, range);
    }
    return [...ranges.values()];
  }

  /** Nothing while it is not known. */
  #use(): RangeUse[] {
    const taken = this.#followed?.taken;
    if (taken?.hasSynced !== true) return [];
    const addresses = [...taken.entries()].map(([address]) => address);
    return this.#ranges().map((range) => {
      const allocated = addresses.filter((address) => range.contains(address)).length;
      return { cidr: range.text, allocated, available: Number(range.size) - allocated };
    });
  }

  #nowMs(): number {
    return this.#follow().addresses.environment.clock.now();
  }

  async #take(address: string, service: ServiceReference): Promise<void> {
    try {
      await this.#follow().writes.create(
        internalContext({ groupResource: addresses }),
        ipAddressObject(address, service),
      );
    } catch (error) {
      if (isAlreadyExists(error))
        throw new AllocationError('Allocated', 'provided IP is already allocated', { cause: error });
      throw error;
    }
  }

  #follow(): Followed {
    if (this.#followed === undefined) {
      const { storeOf, onError } = this.#options;
      const store = storeOf('networking.k8s.io', 'ipaddresses');
      this.#followed = {
        cidrs: new ObjectInformer({
          ...stored(storeOf('networking.k8s.io', 'servicecidrs')),
          onError,
          transform: (record) => followedCIDR(record.object()),
        }),
        taken: new ObjectInformer<true>({ ...stored(store), onError, transform: () => true }),
        addresses: store,
        writes: new OwnWrites(store, { scheme: store.spec.scheme, clock: store.environment.clock }),
      };
      this.#followed.cidrs.start();
      this.#followed.taken.start();
    }
    return this.#followed;
  }
}

function stored({ storage, keyRoot, informerEnds }: Store): Pick<Store, 'storage' | 'keyRoot' | 'informerEnds'> {
  return { storage, keyRoot, informerEnds };
}

/** A ServiceCIDR without a Ready condition counts as ready: nobody may be there to set it. */
function followedCIDR(object: KubeObject): FollowedCIDR {
  const { metadata, spec, status } = object as unknown as ServiceCIDR;
  const condition = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    ranges: (spec?.cidrs ?? []).flatMap((text) => IPRange.parse(text) ?? []),
    ready: metadata?.deletionTimestamp === undefined && (condition === undefined || condition.status === 'True'),
  };
}
