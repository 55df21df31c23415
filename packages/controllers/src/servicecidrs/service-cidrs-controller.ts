import { formatTime, isNotFound } from '@kubechain/apimachinery';
import type { IPAddress, ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { containing, isDispensable, overlapping } from './cidr-cover.ts';

const finalizer = 'networking.k8s.io/service-cidr-finalizer';
const controllerName = 'service-cidr-controller';
/** Allocators must have heard of a deletion before the range goes. */
const graceMs = 10_000;

const conditions = {
  ready: { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' },
  held: {
    status: 'False',
    reason: 'Terminating',
    message: 'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
  },
} as const;

/** Says that ranges of Services are ready, and keeps them as long as they are needed (pkg/controller/servicecidrs). */
export class ServiceCIDRsController implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #cidrs: SharedInformer<ServiceCIDR>;
  readonly #addresses: SharedInformer<IPAddress>;
  /** Names of ServiceCIDRs. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder(controllerName);
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'ipaddresses' });
    this.#cidrs = context.informers.informer(resources.servicecidrs);
    this.#addresses = context.informers.informer(resources.ipaddresses);
    const add = ({ metadata }: ServiceCIDR): void => this.#queue.add(metadata?.name ?? '');
    const addAround = (cidr: ServiceCIDR): void => {
      add(cidr);
      for (const other of overlapping(cidr, this.#cidrs.list())) add(other);
    };
    const addOwners = (address: IPAddress): void => {
      for (const cidr of containing(address, this.#cidrs.list()))
        if (cidr.metadata?.deletionTimestamp !== undefined) add(cidr);
    };
    this.#cidrs.addHandlers({ onAdd: addAround, onUpdate: add, onDelete: add });
    this.#addresses.addHandlers({ onAdd: addOwners, onDelete: addOwners });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#cidrs.waitForSync(signal), this.#addresses.waitForSync(signal)]);
    await runWorkers({
      queue: this.#queue,
      workers: 5,
      signal,
      sync: (name) => this.#sync(name),
      onError: (error, cidr) => this.#context.log.error('cannot look after a ServiceCIDR', error, { cidr }),
    });
  }

  async #sync(name: string): Promise<void> {
    const cidr = this.#cidrs.get(name);
    if (cidr === undefined) return;
    if (cidr.metadata?.deletionTimestamp !== undefined) return this.#end(cidr);
    if (cidr.metadata?.finalizers?.includes(finalizer) !== true) await this.#patch(name, { finalizers: [finalizer] });
    try {
      await this.#tell(cidr, conditions.ready);
    } catch (error) {
      this.#recorder.event(cidr, resources.servicecidrs, {
        type: 'Warning',
        reason: 'KubernetesServiceCIDRError',
        message: 'The ServiceCIDR Status can not be set to Ready=True',
      });
      throw error;
    }
  }

  async #end(cidr: ServiceCIDR): Promise<void> {
    const { deletionTimestamp = '', finalizers = [], name = '' } = cidr.metadata ?? {};
    if (!isDispensable(cidr, { all: this.#cidrs.list(), addresses: this.#addresses.list() }))
      return this.#tell(cidr, conditions.held);
    const leftMs = Date.parse(deletionTimestamp) + graceMs - this.#context.clock.now();
    if (leftMs > 0) this.#queue.addAfter(name, leftMs);
    else if (finalizers.includes(finalizer))
      await this.#patch(name, { '$deleteFromPrimitiveList/finalizers': [finalizer] });
  }

  async #patch(name: string, metadata: object): Promise<void> {
    try {
      await this.#context.client
        .resource(resources.servicecidrs)
        .patch({ name }, { metadata }, { type: 'application/strategic-merge-patch+json' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #tell(
    { metadata, status }: ServiceCIDR,
    wanted: { readonly status: string; readonly reason: string; readonly message: string },
  ): Promise<void> {
    const now = status?.conditions?.find(({ type }) => type === 'Ready');
    if (now?.status === wanted.status && now.reason === wanted.reason && now.message === wanted.message) return;
    const condition = { type: 'Ready', ...wanted, lastTransitionTime: formatTime(this.#context.clock.now()) };
    await this.#context.client
      .resource(resources.servicecidrs)
      .apply(
        { metadata: { name: metadata?.name ?? '' }, status: { conditions: [condition] } },
        { subresource: 'status', fieldManager: controllerName, force: true },
      );
  }
}
