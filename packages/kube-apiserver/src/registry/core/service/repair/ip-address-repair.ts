import { isNotFound, parseIPAddress, sleep, type TimerClock } from '@kubechain/apimachinery';
import { ObjectInformer, OwnWrites, internalContext, type Store } from '@kubechain/apiserver/resources';
import type { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { WorkQueue, runWorkers } from '@kubechain/shared-storage/work-queue';
import type { ClusterIPAllocator } from '../../../service-allocation/cluster-ip-allocator.ts';
import { ipAddressObject } from '../../../service-allocation/ip-address-object.ts';
import { familyOf } from '../../../service-allocation/ip-range.ts';
import { followedAddress, followedService, type FollowedAddress, type FollowedService } from './followed-objects.ts';
import type { RepairEvent } from './repair-events.ts';

export interface IPAddressRepairOptions {
  readonly services: Store;
  readonly addresses: Store;
  readonly allocator: ClusterIPAllocator;
  readonly clock: TimerClock;
  /** Where its queues are counted. Default: nowhere. */
  readonly queueMetrics?: WorkQueueMetrics | undefined;
  /** Told of what is wrong. */
  readonly tell: (event: RepairEvent) => void;
  readonly onError: (error: unknown) => void;
}

/** What is looked at one after the other. */
interface FirstRound {
  readonly followed: Pick<ObjectInformer<unknown>, 'entries'>;
  readonly sync: (key: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/** An address is taken before its service is stored: for so long nobody doubts it (a request's longest time). */
const graceMs = 60_000;
/** The same of a service that is there already: its writing may have failed, and is then undone. */
const undoMs = 5_000;
/** Everything is looked at again this often, whether it changed or not. */
const resyncMs = 180_000;
/** Between two looks whether there is a ServiceCIDR. */
const rangeLookMs = 100;
const workers = 5;
const maxRetries = 15;
const addressContext = internalContext({ groupResource: { group: 'networking.k8s.io', resource: 'ipaddresses' } });

/**
 * Makes services and IPAddresses agree, as soon as either changes: an address that a service has and nobody holds is
 * taken for it, one that is held for nobody is given back. Two services with one address are told of only
 * (pkg/registry/core/service/ipallocator/controller/repairip.go, 1.36).
 *
 *     services ────► queue ─► is each of its addresses held for it?
 *     IPAddresses ─► queue ─► has its service that address? (not yet: again once the grace period is over)
 */
export class IPAddressRepair {
  readonly #options: IPAddressRepairOptions;
  readonly #services: ObjectInformer<FollowedService>;
  readonly #addresses: ObjectInformer<FollowedAddress>;
  readonly #serviceQueue: WorkQueue;
  readonly #addressQueue: WorkQueue;
  readonly #writes: OwnWrites;

  constructor(options: IPAddressRepairOptions) {
    this.#options = options;
    const { addresses, clock, queueMetrics: metrics, onError, services } = options;
    this.#serviceQueue = new WorkQueue({ clock, name: 'services', metrics });
    this.#addressQueue = new WorkQueue({ clock, name: 'ipaddresses', metrics });
    this.#writes = new OwnWrites(addresses, { scheme: addresses.spec.scheme, clock });
    const followed = ({
      informerEnds,
      keyRoot,
      storage,
    }: Store): Pick<Store, 'storage' | 'keyRoot' | 'informerEnds'> => ({
      storage,
      keyRoot,
      informerEnds,
    });
    this.#services = new ObjectInformer({ ...followed(services), clock, transform: followedService, onError });
    this.#addresses = new ObjectInformer({ ...followed(addresses), clock, transform: followedAddress, onError });
  }

  /**
   * Looks at everything once, as soon as that can be done, and from then on at what changes until `signal` aborts.
   * Resolves when the first round is done. What could not be put right in it keeps nothing else waiting: it is tried
   * again by those who work on what changes, at growing intervals (the reference ends with such a failure).
   */
  async start(signal: AbortSignal): Promise<void> {
    const { allocator, clock, onError } = this.#options;
    for (const informer of [this.#services, this.#addresses]) {
      informer.start();
      signal.addEventListener('abort', () => informer.stop(), { once: true });
    }
    this.#services.onChange(({ key }) => this.#serviceQueue.add(key));
    this.#addresses.onChange(({ key }) => this.#addressQueue.add(key));
    allocator.start();
    await Promise.all([this.#services, this.#addresses, allocator].map((followed) => followed.waitForSync(signal)));
    // Before there is any range, all addresses are outside of it.
    while (!signal.aborted && !allocator.hasCIDRs) await sleep(clock, rangeLookMs, signal);
    const syncService = (key: string): Promise<void> => this.#syncService(key);
    const syncAddress = (name: string): Promise<void> => this.#syncAddress(name);
    await this.#firstRound(this.#serviceQueue, { followed: this.#services, sync: syncService, signal });
    await this.#firstRound(this.#addressQueue, { followed: this.#addresses, sync: syncAddress, signal });
    if (signal.aborted) return;
    const run = (queue: WorkQueue, sync: (key: string) => Promise<void>): Promise<void> =>
      runWorkers({ queue, sync, workers, signal, maxRetries, onError });
    void run(this.#serviceQueue, syncService);
    void run(this.#addressQueue, syncAddress);
    void this.#resync(signal);
  }

  async #firstRound(queue: WorkQueue, { followed, signal, sync }: FirstRound): Promise<void> {
    for (const [key] of followed.entries()) {
      if (signal.aborted) return;
      try {
        await sync(key);
      } catch (error) {
        if (signal.aborted) return;
        this.#options.onError(error);
        queue.addRateLimited(key);
      }
    }
  }

  async #resync(signal: AbortSignal): Promise<void> {
    for (;;) {
      await sleep(this.#options.clock, resyncMs, signal);
      if (signal.aborted) return;
      for (const [key] of this.#services.entries()) this.#serviceQueue.add(key);
      for (const [key] of this.#addresses.entries()) this.#addressQueue.add(key);
    }
  }

  async #syncService(key: string): Promise<void> {
    const service = this.#services.get(key);
    for (const ip of service?.clusterIPs ?? []) await this.#syncClusterIP(ip, { key, service: service! });
  }

  async #syncClusterIP(
    ip: string,
    { key, service }: { readonly key: string; readonly service: FollowedService },
  ): Promise<void> {
    const { allocator } = this.#options;
    const tell = (reason: string, note: string, action = 'ClusterIPAllocation'): void => {
      this.#options.tell({ regarding: service.reference, reason, action, note });
    };
    const address = parseIPAddress(ip)?.text;
    if (address === undefined) {
      tell('ClusterIPNotValid', 'Cluster IP <nil> is not a valid IP; please recreate Service', 'ClusterIPValidation');
      return;
    }
    const shown = `[${familyOf(address)}]: ${address}`;
    if (!allocator.covers(address)) {
      tell(
        'ClusterIPOutOfRange',
        `Cluster IP ${shown} is not within any configured Service CIDR; please recreate service`,
      );
      return;
    }
    const held = this.#addresses.get(address);
    if (held === undefined) {
      tell('ClusterIPNotAllocated', `Cluster IP ${shown} is not allocated; repairing`);
      await this.#take(address, service);
      return;
    }
    if (held.service !== key) {
      const other = held.service === undefined ? undefined : this.#services.get(held.service);
      if (other === undefined) {
        tell('ClusterIPNotAllocated', `the ClusterIP ${shown} for Service ${key} has a wrong reference; repairing`);
        await this.#retake(address, service);
        return;
      }
      // Whom it is held for is asked when the address is looked at.
      if (other.clusterIPs.includes(address))
        tell(
          'ClusterIPAlreadyAllocated',
          `Cluster IP [${familyOf(address)}]:${address} was assigned to multiple services; please recreate service`,
        );
    }
    if (!held.labelled) await this.#retake(address, service);
  }

  async #syncAddress(name: string): Promise<void> {
    const address = this.#addresses.get(name);
    if (address?.managed !== true) return;
    const { clock } = this.#options;
    const ageMs = clock.now() - address.createdMs;
    const tell = (reason: string, note: string): void => {
      this.#options.tell({ regarding: address.reference, reason, action: 'IPAddressAllocation', note });
    };
    if (address.service === undefined) {
      tell(
        'IPAddressNotAllocated',
        `IPAddress ${name} appears to have been modified, not referencing a Service ${address.parent}: cleaning up`,
      );
      await this.#drop(name);
      return;
    }
    const service = this.#services.get(address.service);
    if (service === undefined) {
      if (ageMs <= graceMs) {
        this.#addressQueue.addAfter(name, graceMs - ageMs + 1);
        return;
      }
      tell(
        'IPAddressNotAllocated',
        `IPAddress: ${name} for Service ${address.service} appears to have leaked: cleaning up`,
      );
      await this.#drop(name);
      return;
    }
    if (service.clusterIPs.includes(name)) return;
    // Such a service gets its addresses when it becomes one of another type.
    if (service.externalName && ageMs < graceMs) {
      this.#addressQueue.addAfter(name, graceMs - ageMs);
      return;
    }
    if (address.createdMs > service.createdMs && ageMs < undoMs) {
      this.#addressQueue.addAfter(name, undoMs);
      return;
    }
    tell(
      'IPAddressWrongReference',
      `IPAddress: ${name} for Service ${address.service} has a wrong reference; cleaning up`,
    );
    await this.#drop(name);
  }

  async #take(address: string, { reference: { name = '', namespace = '' } }: FollowedService): Promise<void> {
    await this.#writes.create(addressContext, ipAddressObject(address, { namespace, name }));
  }

  async #retake(address: string, service: FollowedService): Promise<void> {
    await this.#drop(address);
    await this.#take(address, service);
  }

  async #drop(name: string): Promise<void> {
    try {
      await this.#options.addresses.delete(addressContext, name, () => undefined, { dryRun: false });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
