import { isIP } from 'node:net';
import { equalJSON, isForbidden, isNotFound, messageOf, type JSONValue } from '@kubechain/apimachinery';
import type {
  EndpointAddress,
  EndpointPort,
  Endpoints,
  EndpointSubset,
  Pod,
  Service,
  ServicePort,
} from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { hasCause, NAMESPACE_TERMINATING } from '../controller/has-cause.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { hasEndpoint, hasHostname, isClusterIPSet, podAddresses } from '../services/pod-addresses.ts';
import { isPodReady, PodServices, selects } from '../services/pod-services.ts';
import { ServicePorts } from '../services/service-ports.ts';
import { TriggerTimes } from '../services/trigger-times.ts';
import { packSubsets, truncateSubsets, type AddressPorts } from './subsets.ts';

const COMPONENT = 'endpoint-controller';
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const HEADLESS = 'service.kubernetes.io/headless';
const TRIGGER_TIME = 'endpoints.kubernetes.io/last-change-trigger-time';
const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
/** Endpoints of this name and annotation were locks once. */
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const MAX_RETRIES = 15;

/** Keeps the Endpoints of services with selectors (pkg/controller/endpoint). */
export class EndpointsController implements Controller {
  readonly #context: ControllerContext;
  readonly #services: SharedInformer<Service>;
  readonly #pods: SharedInformer<Pod>;
  readonly #endpoints: SharedInformer<Endpoints>;
  readonly #podServices: PodServices;
  readonly #triggerTimes = new TriggerTimes();
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  /** Versions that were written over, until the informer shows a newer one. */
  readonly #stale = new Map<string, string>();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = namespacedQueue(context, 'endpoint');
    this.#recorder = context.recorder(COMPONENT);
    this.#services = context.informers.informer(resources.services);
    this.#pods = context.informers.informer(resources.pods);
    this.#endpoints = context.informers.informer(resources.endpoints);
    const add = (object: Service | Endpoints): void => this.#queue.add(keyOf(object));
    this.#services.addHandlers({ onAdd: add, onUpdate: add, onDelete: add });
    this.#endpoints.addHandlers({ onDelete: add });
    const batchMs = context.flags.lifecycle['endpoint-updates-batch-period'];
    this.#podServices = new PodServices(this.#services, {
      ...context,
      queue: (key) => this.#queue.addAfter(key, batchMs),
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podServices.podChanged(undefined, pod),
      onUpdate: (pod, previous) => this.#podServices.podChanged(previous, pod),
      onDelete: (pod) => this.#podServices.podChanged(pod, undefined),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, this.#services, this.#endpoints].map((informer) => informer.waitForSync(signal)));
    // Those whose service has gone while nobody looked.
    for (const endpoints of this.#endpoints.list())
      if (endpoints.metadata?.annotations?.[LEADER_ANNOTATION] === undefined) this.#queue.add(keyOf(endpoints));
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#context.flags.concurrency['concurrent-endpoint-syncs'],
        signal,
        maxRetries: MAX_RETRIES,
        sync: (key) => this.#sync(key),
        onError: (error, service) =>
          this.#context.log.warning('cannot sync endpoints', { service, err: messageOf(error) }),
      }),
      this.#podServices.run(signal),
    ]);
  }

  async #sync(key: string): Promise<void> {
    const service = this.#services.get(key);
    const { namespace, name } = splitKey(key);
    const client = this.#context.client.resource(resources.endpoints);
    if (service === undefined) {
      this.#triggerTimes.delete(key);
      this.#stale.delete(key);
      try {
        await client.delete({ namespace, name });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      return;
    }
    const { selector } = service.spec ?? {};
    if (service.spec?.type === 'ExternalName' || selector === undefined) return;
    const pods = this.#pods.list(namespace).filter(({ metadata }) => selects(selector, metadata?.labels ?? {}));
    const triggerTime = this.#triggerTimes.compute(key, service, pods);
    const subsets = packSubsets(await endpointsOf(service, pods));
    const current = this.#endpoints.get(key);
    if (current !== undefined && this.#stale.get(key) === current.metadata?.resourceVersion)
      throw new Error(`endpoints informer cache is out of date for ${key}`);
    if (current !== undefined && isUpToDate(current, subsets, service)) return;
    await this.#write(service, { current, subsets, triggerTime });
  }

  async #write(
    service: Service,
    {
      current,
      subsets,
      triggerTime,
    }: {
      readonly current: Endpoints | undefined;
      readonly subsets: EndpointSubset[];
      readonly triggerTime: string | undefined;
    },
  ): Promise<void> {
    const { namespace = '', name = '' } = service.metadata ?? {};
    const { [TRIGGER_TIME]: _, [OVER_CAPACITY]: __, ...annotations } = current?.metadata?.annotations ?? {};
    const { [HEADLESS]: ___, ...labels } = service.metadata?.labels ?? {};
    const kept = truncateSubsets(subsets);
    const wanted: Endpoints = {
      metadata: {
        ...current?.metadata,
        namespace,
        name,
        labels: { ...labels, ...(isClusterIPSet(service) ? {} : { [HEADLESS]: '' }), [MANAGED_BY]: COMPONENT },
        annotations: {
          ...annotations,
          ...(triggerTime === undefined ? {} : { [TRIGGER_TIME]: triggerTime }),
          ...(kept === subsets ? {} : { [OVER_CAPACITY]: 'truncated' }),
        },
      },
      subsets: [...kept],
    };
    const client = this.#context.client.resource(resources.endpoints);
    try {
      if (current === undefined) await client.create(wanted);
      else {
        const updated = await client.update(wanted);
        const { resourceVersion = '' } = current.metadata ?? {};
        if (updated.metadata?.resourceVersion !== resourceVersion)
          this.#stale.set(`${namespace}/${name}`, resourceVersion);
      }
    } catch (error) {
      if (current === undefined && isForbidden(error) && hasCause(error, NAMESPACE_TERMINATING)) return;
      this.#recorder.event(wanted, resources.endpoints, {
        type: 'Warning',
        ...(current === undefined
          ? {
              reason: 'FailedToCreateEndpoint',
              message: `Failed to create endpoint for service ${namespace}/${name}: ${messageOf(error)}`,
            }
          : {
              reason: 'FailedToUpdateEndpoint',
              message: `Failed to update endpoint ${namespace}/${name}: ${messageOf(error)}`,
            }),
      });
      throw error;
    }
  }
}

/** Of a headless service without ports. */
const noPorts: readonly undefined[] = [undefined];

async function endpointsOf(service: Service, pods: readonly Pod[]): Promise<AddressPorts[]> {
  const { publishNotReadyAddresses = false, ports = [], clusterIP } = service.spec ?? {};
  if (ports.length === 0 && clusterIP !== 'None') return [];
  const known = new ServicePorts(service, portOf);
  const endpoints: AddressPorts[] = [];
  await inTurns(pods, (pod) => {
    const address = hasEndpoint(pod, publishNotReadyAddresses) ? addressOf(service, pod) : undefined;
    if (address === undefined) return;
    const own = ports.length === 0 ? noPorts : known.of(pod);
    endpoints.push({ address, ports: own, ready: publishNotReadyAddresses || isPodReady(pod.status) });
  });
  return endpoints;
}

function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const [ip] = podAddresses(pod, familyOf(service, pod));
  if (ip === undefined) return undefined;
  const { namespace = '', name = '', uid = '' } = pod.metadata ?? {};
  return {
    ip,
    ...(hasHostname(pod, service) ? { hostname: pod.spec?.hostname ?? '' } : {}),
    nodeName: pod.spec?.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function portOf({ appProtocol, name, protocol }: ServicePort, port: number): EndpointPort {
  return {
    ...(name === undefined || name === '' ? {} : { name }),
    port,
    ...(protocol === undefined ? {} : { protocol }),
    ...(appProtocol === undefined ? {} : { appProtocol }),
  };
}

/** Endpoints have one family: the service's first. */
function familyOf({ spec }: Service, { status }: Pod): 'IPv4' | 'IPv6' {
  const [family] = spec?.ipFamilies ?? [];
  if (family !== undefined) return family === 'IPv6' ? 'IPv6' : 'IPv4';
  if (spec?.clusterIP !== undefined && spec.clusterIP !== '' && spec.clusterIP !== 'None')
    return isIP(spec.clusterIP) === 6 ? 'IPv6' : 'IPv4';
  return isIP(status?.podIP ?? '') === 6 ? 'IPv6' : 'IPv4';
}

function isUpToDate(current: Endpoints, subsets: readonly EndpointSubset[], service: Service): boolean {
  const { labels = {}, annotations = {} } = current.metadata ?? {};
  if (labels[MANAGED_BY] !== COMPONENT || annotations[OVER_CAPACITY] !== undefined) return false;
  const own = Object.entries(labels).filter(([label]) => label !== MANAGED_BY && label !== HEADLESS);
  const wanted = service.metadata?.labels ?? {};
  if (own.length !== Object.keys(wanted).length || own.some(([label, value]) => wanted[label] !== value)) return false;
  // Not packed anew: who wrote it may have given thousands of ports thousands of addresses.
  return equalJSON((current.subsets ?? []) as unknown as JSONValue, subsets as unknown as JSONValue);
}
