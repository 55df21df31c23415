import { isNotFound, messageOf } from '@kubechain/apimachinery';
import type { Endpoints, Service } from '@kubechain/apimachinery/types/core/v1';
import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/plan-slices.ts';
import { WrittenSlices } from '../endpointslice/written-slices.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { runWorkers } from '../work-queue/run-workers.ts';
import { WorkQueue } from '../work-queue/work-queue.ts';
import { MIRRORING_MANAGER, planMirror, type MirrorPlan } from './mirrored-slices.ts';

const BY_SERVICE = 'endpointslicemirroring-controller service';
const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const MAX_RETRIES = 15;

/** Mirrors the Endpoints of services without selectors to EndpointSlices (pkg/controller/endpointslicemirroring). */
export class EndpointSliceMirroringController implements Controller {
  readonly #context: ControllerContext;
  readonly #services: SharedInformer<Service>;
  readonly #endpoints: SharedInformer<Endpoints>;
  readonly #slices: SharedInformer<EndpointSlice>;
  readonly #written = new WrittenSlices((slice) => this.#slices.get(keyOf(slice)));
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    const { clock, flags, informers } = context;
    this.#context = context;
    this.#recorder = context.recorder('endpoint-slice-mirroring-controller');
    this.#queue = new WorkQueue({ clock, firstMs: 1000, longestMs: 100_000 });
    this.#services = informers.informer(resources.services);
    this.#endpoints = informers.informer(resources.endpoints);
    this.#slices = informers.informer(resources.endpointslices);
    this.#slices.addIndex(BY_SERVICE, (slice) => (isOurs(slice) ? [serviceKeyOf(slice)] : []));
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
    const sliceChanged = (slice: EndpointSlice): void => {
      if (isOurs(slice) && !this.#written.seen(serviceKeyOf(slice), slice)) this.#queue.add(serviceKeyOf(slice));
    };
    this.#slices.addHandlers({
      onAdd: sliceChanged,
      onUpdate: (slice, previous) => {
        sliceChanged(slice);
        if (isOurs(previous) && (!isOurs(slice) || serviceKeyOf(slice) !== serviceKeyOf(previous)))
          this.#queue.add(serviceKeyOf(previous));
      },
      onDelete: (slice) => {
        if (isOurs(slice) && !this.#written.gone(serviceKeyOf(slice), slice)) this.#queue.add(serviceKeyOf(slice));
      },
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
    const slices = this.#slices.byIndex(BY_SERVICE, key);
    if (
      endpoints === undefined ||
      !shouldMirror(endpoints) ||
      service === undefined ||
      service.spec?.selector !== undefined
    ) {
      this.#written.delete(key);
      await this.#remove(key, slices);
      return;
    }
    if (this.#written.pending(key)) throw new Error(`EndpointSlice informer cache is out of date for ${key}`);
    const max = this.#context.flags.lifecycle['mirroring-max-endpoints-per-subset'];
    const plan = planMirror(endpoints, slices, max);
    const warn = (reason: string, message: string): void =>
      this.#recorder.event(endpoints, resources.endpoints, { type: 'Warning', reason, message });
    if (plan.invalid > 0)
      warn('InvalidIPAddress', `Skipped ${plan.invalid} invalid IP addresses when mirroring to EndpointSlices`);
    if (plan.skipped > plan.invalid)
      warn(
        'TooManyAddressesToMirror',
        `A max of ${max} addresses can be mirrored to EndpointSlices per Endpoints subset. ${plan.skipped} addresses were skipped`,
      );
    await this.#write(key, endpoints, plan);
  }

  async #write(key: string, { metadata }: Endpoints, plan: MirrorPlan): Promise<void> {
    const client = this.#context.client.resource(resources.endpointslices);
    const failed = (what: string, error: unknown): Error =>
      new Error(`failed to ${what} for Endpoints ${key}: ${messageOf(error)}`, { cause: error });
    if (metadata?.deletionTimestamp === undefined)
      for (const slice of plan.create) {
        try {
          this.#written.wrote(key, await client.create(slice));
        } catch (error) {
          if (hasCause(error, NAMESPACE_TERMINATING)) return;
          throw failed('create EndpointSlice', error);
        }
      }
    for (const slice of plan.update) {
      try {
        this.#written.wrote(key, await client.update(slice));
      } catch (error) {
        throw failed(`update ${slice.metadata?.name ?? ''} EndpointSlice`, error);
      }
    }
    await this.#remove(key, plan.remove);
  }

  async #remove(key: string, slices: readonly EndpointSlice[]): Promise<void> {
    const client = this.#context.client.resource(resources.endpointslices);
    for (const slice of slices) {
      try {
        await client.delete({ namespace: splitKey(key).namespace, name: slice.metadata?.name ?? '' });
        this.#written.removed(key, slice);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

function shouldMirror(endpoints: Endpoints | undefined): boolean {
  const { labels, annotations } = endpoints?.metadata ?? {};
  return endpoints !== undefined && labels?.[SKIP_MIRROR] !== 'true' && annotations?.[LEADER_ANNOTATION] === undefined;
}

function isOurs({ metadata }: EndpointSlice): boolean {
  return metadata?.labels?.[MANAGED_BY] === MIRRORING_MANAGER && (metadata.labels[SERVICE_NAME] ?? '') !== '';
}

function serviceKeyOf({ metadata }: EndpointSlice): string {
  return `${metadata?.namespace ?? ''}/${metadata?.labels?.[SERVICE_NAME] ?? ''}`;
}
