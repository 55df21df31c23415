import type { GroupResource } from '@kubechain/apimachinery';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const resourceLabels = ['group', 'resource'] as const;

/** The reference's metrics of watch caches (cacher/metrics/metrics.go, 1.36), one set per registry. */
class MetricSet {
  readonly listTotal;
  readonly listFetched;
  readonly listReturned;
  readonly initEvents;
  readonly eventsReceived;
  readonly eventsDispatched;
  readonly terminatedWatchers;
  readonly resourceVersion;
  readonly capacity;
  readonly capacityIncrease;
  readonly capacityDecrease;
  readonly initializations;
  readonly readWait;
  readonly consistentReads;
  readonly consistencyChecks;

  constructor(registry: Registry) {
    const registers = [registry];
    const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> => new Counter({ name, help, labelNames, registers });
    const gauge = (name: string, help: string): Gauge<'group' | 'resource'> => new Gauge({ name, help, labelNames: resourceLabels, registers });
    this.listTotal = counter('apiserver_cache_list_total', '[ALPHA] Number of LIST requests served from watch cache', ['group', 'resource', 'index']);
    this.listFetched = counter('apiserver_cache_list_fetched_objects_total', '[ALPHA] Number of objects read from watch cache in the course of serving a LIST request', ['group', 'resource', 'index']);
    this.listReturned = counter('apiserver_cache_list_returned_objects_total', '[ALPHA] Number of objects returned for a LIST request from watch cache', resourceLabels);
    this.initEvents = counter('apiserver_init_events_total', '[ALPHA] Counter of init events processed in watch cache broken by resource type.', resourceLabels);
    this.eventsReceived = counter('apiserver_watch_cache_events_received_total', '[ALPHA] Counter of events received in watch cache broken by resource type.', resourceLabels);
    this.eventsDispatched = counter('apiserver_watch_cache_events_dispatched_total', '[ALPHA] Counter of events dispatched in watch cache broken by resource type.', resourceLabels);
    this.terminatedWatchers = counter('apiserver_terminated_watchers_total', '[ALPHA] Counter of watchers closed due to unresponsiveness broken by resource type.', resourceLabels);
    this.resourceVersion = gauge('apiserver_watch_cache_resource_version', '[ALPHA] Current resource version of watch cache broken by resource type. This is truncated to the 15 least significant digits.');
    this.capacity = gauge('watch_cache_capacity', '[ALPHA] Total capacity of watch cache broken by resource type.');
    this.capacityIncrease = counter('watch_cache_capacity_increase_total', '[ALPHA] Total number of watch cache capacity increase events broken by resource type.', resourceLabels);
    this.capacityDecrease = counter('watch_cache_capacity_decrease_total', '[ALPHA] Total number of watch cache capacity decrease events broken by resource type.', resourceLabels);
    this.initializations = counter('apiserver_watch_cache_initializations_total', '[ALPHA] Counter of watch cache initializations broken by resource type.', resourceLabels);
    this.readWait = new Histogram({
      name: 'apiserver_watch_cache_read_wait_seconds', help: '[ALPHA] Histogram of time spent waiting for a watch cache to become fresh.',
      labelNames: resourceLabels, registers, buckets: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
    });
    this.consistentReads = counter('apiserver_watch_cache_consistent_read_total', '[ALPHA] Counter for consistent reads from cache.', ['group', 'resource', 'success', 'fallback']);
    this.consistencyChecks = counter('apiserver_storage_consistency_checks_total', '[ALPHA] Counter for status of consistency checks between etcd and watch cache', ['group', 'resource', 'status']);
  }
}

const sets = new WeakMap<Registry, MetricSet>();
/** Takes the numbers of caches that nobody wants to observe. */
const unobserved = new Registry();

function metricSet(registry: Registry): MetricSet {
  let set = sets.get(registry);
  if (set === undefined) sets.set(registry, set = new MetricSet(registry));
  return set;
}

/** The metrics of one resource's cache; children with their labels are looked up once, not per event. */
export class CacherMetrics {
  readonly #set: MetricSet;
  readonly #labels: { readonly group: string; readonly resource: string };
  readonly #received;
  readonly #dispatched;
  readonly #initEvents;
  readonly #resourceVersion;
  readonly #readWait;
  readonly #listReturned;

  /** @param registry where the process collects its metrics; caches of one registry share the metrics */
  constructor(resource: GroupResource, registry: Registry = unobserved) {
    this.#set = metricSet(registry);
    this.#labels = { group: resource.group, resource: resource.resource };
    this.#received = this.#set.eventsReceived.labels(this.#labels);
    this.#dispatched = this.#set.eventsDispatched.labels(this.#labels);
    this.#initEvents = this.#set.initEvents.labels(this.#labels);
    this.#resourceVersion = this.#set.resourceVersion.labels(this.#labels);
    this.#readWait = this.#set.readWait.labels(this.#labels);
    this.#listReturned = this.#set.listReturned.labels(this.#labels);
  }

  eventReceived(): void { this.#received.inc(); }
  eventDispatched(): void { this.#dispatched.inc(); }
  initialEvents(count: number): void { this.#initEvents.inc(count); }
  watcherTerminated(): void { this.#set.terminatedWatchers.inc(this.#labels); }
  revision(revision: number): void { this.#resourceVersion.set(revision % 1e15); }
  initialized(): void { this.#set.initializations.inc(this.#labels); }
  capacity(capacity: number): void { this.#set.capacity.set(this.#labels, capacity); }

  resized(from: number, to: number): void {
    this.capacity(to);
    (to > from ? this.#set.capacityIncrease : this.#set.capacityDecrease).inc(this.#labels);
  }

  readWaited(seconds: number): void { this.#readWait.observe(seconds); }
  consistentRead(success: boolean, fallback: boolean): void { this.#set.consistentReads.inc({ ...this.#labels, success: String(success), fallback: String(fallback) }); }

  /** @param index as upstream writes it, `f:spec.nodeName`; '' when the whole prefix was read */
  listed(index: string, fetched: number, returned: number): void {
    const labels = { ...this.#labels, index };
    this.#set.listTotal.inc(labels);
    this.#set.listFetched.inc(labels, fetched);
    this.#listReturned.inc(returned);
  }

  consistencyChecked(status: 'success' | 'failure' | 'error'): void { this.#set.consistencyChecks.inc({ ...this.#labels, status }); }
}
