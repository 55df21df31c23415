import { messageOf } from '@kubechain/apimachinery';
import type { Endpoints, Service } from '@kubechain/apimachinery/types/core/v1';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { ManagedSlices } from '../endpointslice/managed-slices.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { MIRRORING_MANAGER, planMirror } from './mirrored-slices.ts';

const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const MAX_RETRIES = 15;

/** Mirrors the Endpoints of services without selectors to EndpointSlices (pkg/controller/endpointslicemirroring). */
export class EndpointSliceMirroringController implements Controller {
  readonly #context: ControllerContext;
  readonly #services: SharedInformer<Service>;
  readonly #endpoints: SharedInformer<Endpoints>;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #managed: ManagedSlices;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    const { flags, informers } = context;
    this.#context = context;
    this.#recorder = context.recorder('endpoint-slice-mirroring-controller');
    this.#queue = namespacedQueue(context, 'endpoint_slice_mirroring', { firstMs: 1000, longestMs: 100_000 });
    this.#services = informers.informer(resources.services);
    this.#endpoints = informers.informer(resources.endpoints);
    this.#slices = informers.informer(resources.endpointslices);
    const batchMs = flags.lifecycle['mirroring-endpointslice-updates-batch-period'];
    const endpointsChanged = (object: Endpoints | undefined, previous?: Endpoints): void => {
      if (shouldMirror(object) || shouldMirror(previous))
        this.#queue.addAfter(keyOf(object ?? previous ?? {}), batchMs);
    };
    this.#endpoints.addHandlers({ onAdd: endpointsChanged, onUpdate: endpointsChanged, onDelete: endpointsChanged });
    const serviceChanged = (service: Service): void => {
      if (service.spec?.selector === undefined) this.#queue.add(keyOf(service));
    };
    this.#services.addHandlers({
      onAdd: serviceChanged,
      onUpdate: (service, previous) => {
        if ((service.spec?.selector === undefined) !== (previous.spec?.selector === undefined))
          this.#queue.add(keyOf(service));
      },
      onDelete: serviceChanged,
    });
    const again = (key: string): void => this.#queue.add(key);
    this.#managed = new ManagedSlices({
      client: context.client.resource(resources.endpointslices),
      informer: this.#slices,
      manager: MIRRORING_MANAGER,
      kind: 'Endpoints',
      changed: again,
      moved: again,
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#services, this.#endpoints, this.#slices].map((informer) => informer.waitForSync(signal)));
    await runWorkers({
      queue: this.#queue,
      workers: this.#context.flags.concurrency['mirroring-concurrent-service-endpoint-syncs'],
      signal,
      maxRetries: MAX_RETRIES,
      sync: (key) => this.#sync(key),
      onError: (error, endpoints) =>
        this.#context.log.warning('cannot mirror endpoints', { endpoints, err: messageOf(error) }),
    });
  }

  async #sync(key: string): Promise<void> {
    const endpoints = this.#endpoints.get(key);
    const service = this.#services.get(key);
    const slices = this.#managed.of(key);
    if (
      endpoints === undefined ||
      !shouldMirror(endpoints) ||
      service === undefined ||
      service.spec?.selector !== undefined
    ) {
      this.#managed.forget(key);
      await this.#managed.remove(key, slices);
      return;
    }
    this.#managed.checkFresh(key);
    const max = this.#context.flags.lifecycle['mirroring-max-endpoints-per-subset'];
    const plan = planMirror(endpoints, slices, max);
    const warn = (reason: string, message: string): void =>
      this.#recorder.event(endpoints, resources.endpoints, { type: 'Warning', reason, message });
    if (plan.invalid > 0)
      warn('InvalidIPAddress', `Skipped ${plan.invalid} invalid IP addresses when mirroring to EndpointSlices`);
    if (plan.skipped > plan.invalid)
      warn(
        'TooManyAddressesToMirror',
        `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset. ${plan.skipped} ` +
          'addresses were skipped',
      );
    const ownerGoes = endpoints.metadata?.deletionTimestamp !== undefined;
    await this.#managed.carryOut(key, plan, { ownerGoes });
  }
}

function shouldMirror(endpoints: Endpoints | undefined): boolean {
  const { labels, annotations } = endpoints?.metadata ?? {};
  return endpoints !== undefined && labels?.[SKIP_MIRROR] !== 'true' && annotations?.[LEADER_ANNOTATION] === undefined;
}
