import type { GroupResource } from '@kubechain/apimachinery';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import type { ValueCell, ValueFamily } from '../metrics/metric-family.ts';

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
  readonly sourceTerminations;
  readonly resourceVersion;
  readonly capacity;
  readonly capacityIncrease;
  readonly capacityDecrease;
  readonly initializations;
  readonly readWait;
  readonly consistentReads;
  readonly consistencyChecks;

  constructor(registry: MetricRegistry) {
    const counter = (name: string, help: string, labelNames: readonly string[]): ValueFamily =>
      registry.counter(name, help, labelNames);
    const gauge = (name: string, help: string): ValueFamily => registry.gauge(name, help, resourceLabels);
    this.listTotal = counter('apiserver_cache_list_total', '[ALPHA] Number of LIST requests served from watch cache', [
      'group',
      'resource',
      'index',
    ]);
    this.listFetched = counter(
      'apiserver_cache_list_fetched_objects_total',
      '[ALPHA] Number of objects read from watch cache in the course of serving a LIST request',
      ['group', 'resource', 'index'],
    );
    this.listReturned = counter(
      'apiserver_cache_list_returned_objects_total',
      '[ALPHA] Number of objects returned for a LIST request from watch cache',
      resourceLabels,
    );
    this.initEvents = counter(
      'apiserver_init_events_total',
      '[ALPHA] Counter of init events processed in watch cache broken by resource type.',
      resourceLabels,
    );
    this.eventsReceived = counter(
      'apiserver_watch_cache_events_received_total',
      '[ALPHA] Counter of events received in watch cache broken by resource type.',
      resourceLabels,
    );
    this.eventsDispatched = counter(
      'apiserver_watch_cache_events_dispatched_total',
      '[ALPHA] Counter of events dispatched in watch cache broken by resource type.',
      resourceLabels,
    );
    this.terminatedWatchers = counter(
      'apiserver_terminated_watchers_total',
      '[ALPHA] Counter of watchers closed due to unresponsiveness broken by resource type.',
      resourceLabels,
    );
    this.sourceTerminations = counter(
      'apiserver_watch_cache_source_terminations_total',
      'Number of watches of the store that a watch cache has lived on and that have ended, by reason.',
      [...resourceLabels, 'reason'],
    );
    this.resourceVersion = gauge(
      'apiserver_watch_cache_resource_version',
      '[ALPHA] Current resource version of watch cache broken by resource type. This is truncated to the 15 ' +
        'least significant digits.',
    );
    this.capacity = gauge('watch_cache_capacity', '[ALPHA] Total capacity of watch cache broken by resource type.');
    this.capacityIncrease = counter(
      'watch_cache_capacity_increase_total',
      '[ALPHA] Total number of watch cache capacity increase events broken by resource type.',
      resourceLabels,
    );
    this.capacityDecrease = counter(
      'watch_cache_capacity_decrease_total',
      '[ALPHA] Total number of watch cache capacity decrease events broken by resource type.',
      resourceLabels,
    );
    this.initializations = counter(
      'apiserver_watch_cache_initializations_total',
      '[ALPHA] Counter of watch cache initializations broken by resource type.',
      resourceLabels,
    );
    this.readWait = registry.histogram(
      'apiserver_watch_cache_read_wait_seconds',
      '[ALPHA] Histogram of time spent waiting for a watch cache to become fresh.',
      {
        labelNames: resourceLabels,
        bounds: [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3],
      },
    );
    this.consistentReads = counter(
      'apiserver_watch_cache_consistent_read_total',
      '[ALPHA] Counter for consistent reads from cache.',
      ['group', 'resource', 'success', 'fallback'],
    );
    this.consistencyChecks = counter(
      'apiserver_storage_consistency_checks_total',
      '[ALPHA] Counter for status of consistency checks between etcd and watch cache',
      ['group', 'resource', 'status'],
    );
  }
}

const sets = new WeakMap<MetricRegistry, MetricSet>();
/** Takes the numbers of caches that nobody wants to observe. */
const unobserved = new MetricRegistry();

function metricSet(registry: MetricRegistry): MetricSet {
  let set = sets.get(registry);
  if (set === undefined) sets.set(registry, (set = new MetricSet(registry)));
  return set;
}

/** What a list is counted in, for each index that it may have used. */
interface ListCells {
  readonly total: ValueCell;
  readonly fetched: ValueCell;
}

/** The metrics of one resource's cache; their cells are looked up once, not per event. */
export class CacherMetrics {
  readonly #set: MetricSet;
  readonly #group: string;
  readonly #resource: string;
  readonly #received;
  readonly #dispatched;
  readonly #initEvents;
  readonly #resourceVersion;
  readonly #readWait;
  readonly #listReturned;
  readonly #lists = new Map<string, ListCells>();
  #goodRead: ValueCell | undefined;

  /** @param registry where the process collects its metrics; caches of one registry share the metrics */
  constructor({ group, resource }: GroupResource, registry = unobserved) {
    this.#set = metricSet(registry);
    this.#group = group;
    this.#resource = resource;
    this.#received = this.#set.eventsReceived.cell(group, resource);
    this.#dispatched = this.#set.eventsDispatched.cell(group, resource);
    this.#initEvents = this.#set.initEvents.cell(group, resource);
    this.#resourceVersion = this.#set.resourceVersion.cell(group, resource);
    this.#readWait = this.#set.readWait.cell(group, resource);
    this.#listReturned = this.#set.listReturned.cell(group, resource);
  }

  eventReceived(): void {
    this.#received.inc();
  }
  eventDispatched(): void {
    this.#dispatched.inc();
  }
  initialEvents(count: number): void {
    this.#initEvents.inc(count);
  }
  watcherTerminated(): void {
    this.#set.terminatedWatchers.cell(this.#group, this.#resource).inc();
  }
  /** The watch that fills the cache has ended. @param reason a kind of WatchEnd */
  sourceEnded(reason: string): void {
    this.#set.sourceTerminations.cell(this.#group, this.#resource, reason).inc();
  }
  revision(revision: number): void {
    this.#resourceVersion.set(revision % 1e15);
  }
  initialized(): void {
    this.#set.initializations.cell(this.#group, this.#resource).inc();
  }
  capacity(capacity: number): void {
    this.#set.capacity.cell(this.#group, this.#resource).set(capacity);
  }

  resized(from: number, to: number): void {
    this.capacity(to);
    (to > from ? this.#set.capacityIncrease : this.#set.capacityDecrease).cell(this.#group, this.#resource).inc();
  }

  readWaited(seconds: number): void {
    this.#readWait.observe(seconds);
  }

  consistentRead(success: boolean, fallback: boolean): void {
    // Almost all of them.
    if (success && !fallback)
      (this.#goodRead ??= this.#set.consistentReads.cell(this.#group, this.#resource, 'true', 'false')).inc();
    else this.#set.consistentReads.cell(this.#group, this.#resource, String(success), String(fallback)).inc();
  }

  /** @param index as upstream writes it, `f:spec.nodeName`; '' when the whole prefix was read */
  listed(index: string, fetched: number, returned: number): void {
    let cells = this.#lists.get(index);
    if (cells === undefined) {
      cells = {
        total: this.#set.listTotal.cell(this.#group, this.#resource, index),
        fetched: this.#set.listFetched.cell(this.#group, this.#resource, index),
      };
      this.#lists.set(index, cells);
    }
    cells.total.inc();
    cells.fetched.inc(fetched);
    this.#listReturned.inc(returned);
  }

  consistencyChecked(status: 'success' | 'failure' | 'error'): void {
    this.#set.consistencyChecks.cell(this.#group, this.#resource, status).inc();
  }
}
