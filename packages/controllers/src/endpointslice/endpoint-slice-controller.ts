import { append, messageOf } from '@kubechain/apimachinery';
import type { Node, Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addNodeIndex, podsOnNode } from '../pods/pods-on-node.ts';
import { PodServices, selects } from '../services/pod-services.ts';
import { TriggerTimes } from '../services/trigger-times.ts';
import { addressTypesOf, desiredEndpoints } from './desired-endpoints.ts';
import { ManagedSlices } from './managed-slices.ts';
import { planSlices, type SlicePlan } from './plan-slices.ts';

const MANAGER = 'endpointslice-controller.k8s.io';
const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
const MAX_RETRIES = 15;
/** Nodes that come or change zones are gathered for so long. */
const NODE_DELAY_MS = 1000;

/** Keeps the EndpointSlices of services with selectors (pkg/controller/endpointslice). */
export class EndpointSliceController implements Controller {
  readonly #context: ControllerContext;
  readonly #services: SharedInformer<Service>;
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #triggerTimes = new TriggerTimes();
  readonly #managed: ManagedSlices;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  /** Names of nodes: endpoints of pods on them are to show another zone, or can be shown only now. */
  readonly #changedNodes: WorkQueue;
  readonly #podServices: PodServices;

  constructor(context: ControllerContext) {
    const { flags, informers } = context;
    this.#context = context;
    this.#recorder = context.recorder('endpoint-slice-controller');
    // Slower at first than others: a service's pods tend to change together.
    this.#queue = namespacedQueue(context, 'endpoint_slice', { firstMs: 1000, longestMs: 100_000 });
    this.#changedNodes = new WorkQueue({ clock: context.clock, name: 'endpoint_slice_nodes' });
    this.#services = informers.informer(resources.services);
    this.#pods = informers.informer(resources.pods);
    this.#nodes = informers.informer(resources.nodes);
    this.#slices = informers.informer(resources.endpointslices);
    const batchMs = flags.lifecycle['endpointslice-updates-batch-period'];
    const serviceChanged = (service: Service): void => this.#queue.add(keyOf(service));
    this.#services.addHandlers({ onAdd: serviceChanged, onUpdate: serviceChanged, onDelete: serviceChanged });
    this.#podServices = new PodServices(this.#services, {
      ...context,
      queue: (key) => this.#queue.addAfter(key, batchMs),
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podServices.podChanged(undefined, pod),
      onUpdate: (pod, previous) => this.#podServices.podChanged(previous, pod),
      onDelete: (pod) => this.#podServices.podChanged(pod, undefined),
    });
    addNodeIndex(this.#pods);
    this.#managed = new ManagedSlices({
      client: context.client.resource(resources.endpointslices),
      informer: this.#slices,
      manager: MANAGER,
      kind: 'Service',
      changed: (key) => this.#queue.addAfter(key, batchMs),
      moved: (key) => this.#queue.add(key),
    });
    const nodeChanged = (node: Node): void => this.#changedNodes.addAfter(keyOf(node), NODE_DELAY_MS);
    this.#nodes.addHandlers({
      onAdd: nodeChanged,
      onUpdate: (node, previous) => {
        if (zoneOf(node) !== zoneOf(previous)) nodeChanged(node);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(
      [this.#pods, this.#services, this.#nodes, this.#slices].map((informer) => informer.waitForSync(signal)),
    );
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#context.flags.concurrency['concurrent-service-endpoint-syncs'],
        signal,
        maxRetries: MAX_RETRIES,
        sync: (key) => this.#sync(key),
        onError: (error, service) =>
          this.#context.log.warning('cannot sync endpoint slices', { service, err: messageOf(error) }),
      }),
      runWorkers({
        queue: this.#changedNodes,
        workers: 1,
        signal,
        sync: (node) => inTurns(podsOnNode(this.#pods, node), (pod) => this.#podServices.podConcerned(pod)),
      }),
      this.#podServices.run(signal),
    ]);
  }

  async #sync(key: string): Promise<void> {
    const service = this.#services.get(key);
    if (service === undefined) {
      this.#triggerTimes.delete(key);
      this.#managed.forget(key);
      return;
    }
    const { selector, type: serviceType } = service.spec ?? {};
    if (serviceType === 'ExternalName' || selector === undefined) return;
    const { namespace } = splitKey(key);
    const pods = this.#pods.list(namespace).filter(({ metadata }) => selects(selector, metadata?.labels ?? {}));
    const slices = this.#managed.of(key).filter(({ metadata }) => metadata?.deletionTimestamp === undefined);
    this.#managed.checkFresh(key);
    const triggerTime = this.#triggerTimes.compute(key, service, pods);
    try {
      await this.#reconcile(service, { pods, slices, triggerTime });
    } catch (error) {
      this.#recorder.event(service, resources.services, {
        type: 'Warning',
        reason: 'FailedToUpdateEndpointSlices',
        message: `Error updating Endpoint Slices for Service ${key}: ${messageOf(error)}`,
      });
      throw error;
    }
  }

  async #reconcile(
    service: Service,
    {
      pods,
      slices,
      triggerTime,
    }: {
      readonly pods: readonly Pod[];
      readonly slices: readonly EndpointSlice[];
      readonly triggerTime: string | undefined;
    },
  ): Promise<void> {
    const types = addressTypesOf(service);
    const skipped: string[] = [];
    const unsupported = slices.filter(({ addressType }) => !types.some((type) => type === addressType));
    await this.#write(service, { create: [], update: [], remove: unsupported }, triggerTime);
    for (const type of types) {
      const desired = await desiredEndpoints(service, { pods, type, nodeOf: (name) => this.#nodes.get(name) });
      append(skipped, desired.skipped);
      const plan = planSlices({
        service,
        type,
        existing: slices.filter(({ addressType }) => addressType === type),
        desired: desired.byPorts,
        maxEndpoints: this.#context.flags.lifecycle['max-endpoints-per-slice'],
        manager: MANAGER,
      });
      await this.#write(service, plan, triggerTime);
    }
    if (skipped.length > 0) throw new Error(skipped.length === 1 ? skipped[0] : `[${skipped.join(', ')}]`);
  }

  async #write(
    service: Service,
    { create, remove, update }: SlicePlan,
    triggerTime: string | undefined,
  ): Promise<void> {
    const dated = (slice: EndpointSlice): EndpointSlice => withTriggerTime(slice, triggerTime);
    const plan = { create: create.map(dated), update: update.map(dated), remove };
    const ownerGoes = service.metadata?.deletionTimestamp !== undefined;
    await this.#managed.carryOut(keyOf(service), plan, { ownerGoes });
  }
}

function zoneOf({ metadata }: Node): string | undefined {
  return metadata?.labels?.['topology.kubernetes.io/zone'];
}

function withTriggerTime(slice: EndpointSlice, time: string | undefined): EndpointSlice {
  const { [TRIGGER_TIME]: _, ...annotations } = slice.metadata?.annotations ?? {};
  return {
    ...slice,
    metadata: {
      ...slice.metadata,
      annotations: { ...annotations, ...(time === undefined ? {} : { [TRIGGER_TIME]: time }) },
    },
  };
}
