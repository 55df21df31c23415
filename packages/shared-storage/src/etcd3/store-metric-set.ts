import type { GroupResource } from '@kubechain/apimachinery';
import type { HistogramCell } from '../metrics/histogram-cell.ts';
import type { HistogramFamily, ValueCell, ValueFamily } from '../metrics/metric-family.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { EtcdOperation, StoreMetrics } from './store-metrics.ts';

const resourceLabels = ['group', 'resource'] as const;
const requestLabels = ['operation', 'group', 'resource'] as const;
const requestBuckets = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** What one kind of etcd call is counted in. */
interface OperationCells {
  readonly seconds: HistogramCell;
  readonly requests: ValueCell;
  readonly errors: ValueCell;
}

/** What the lists of one resource are counted in. */
interface ListCells {
  readonly lists: ValueCell;
  readonly fetched: ValueCell;
  readonly evaluated: ValueCell;
  readonly returned: ValueCell;
}

/** The reference's metrics of the etcd store (etcd3/metrics, 1.36) in one registry, shared by all resources. */
export class StoreMetricSet {
  readonly #requestSeconds: HistogramFamily;
  readonly #requests: ValueFamily;
  readonly #requestErrors: ValueFamily;
  readonly #events: ValueFamily;
  readonly #bookmarks: ValueFamily;
  readonly #lists: ValueFamily;
  readonly #fetched: ValueFamily;
  readonly #evaluated: ValueFamily;
  readonly #returned: ValueFamily;
  readonly #decodeErrors: ValueFamily;
  readonly #leaseObjects: HistogramFamily;
  readonly #retries: ValueFamily;

  constructor(registry: MetricRegistry) {
    const perRequest = (name: string, help: string): ValueFamily =>
      registry.counter(name, `[ALPHA] ${help}`, requestLabels);
    const perResource = (name: string, help: string): ValueFamily => registry.counter(name, help, resourceLabels);
    this.#requestSeconds = registry.histogram(
      'etcd_request_duration_seconds',
      '[ALPHA] Etcd request latency in seconds for each operation and object type.',
      { labelNames: requestLabels, bounds: requestBuckets },
    );
    this.#requests = perRequest('etcd_requests_total', 'Etcd request counts for each operation and object type.');
    this.#requestErrors = perRequest(
      'etcd_request_errors_total',
      'Etcd failed request counts for each operation and object type.',
    );
    this.#events = perResource(
      'apiserver_storage_events_received_total',
      '[BETA] Number of etcd events received split by kind.',
    );
    this.#bookmarks = perResource(
      'etcd_bookmark_total',
      '[ALPHA] Number of etcd bookmarks (progress notify events) split by kind.',
    );
    this.#lists = perResource('apiserver_storage_list_total', '[ALPHA] Number of LIST requests served from storage');
    this.#fetched = perResource(
      'apiserver_storage_list_fetched_objects_total',
      '[ALPHA] Number of objects read from storage in the course of serving a LIST request',
    );
    this.#evaluated = perResource(
      'apiserver_storage_list_evaluated_objects_total',
      '[ALPHA] Number of objects tested in the course of serving a LIST request from storage',
    );
    this.#returned = perResource(
      'apiserver_storage_list_returned_objects_total',
      '[ALPHA] Number of objects returned for a LIST request from storage',
    );
    this.#decodeErrors = perResource(
      'apiserver_storage_decode_errors_total',
      '[ALPHA] Number of stored object decode errors split by object type',
    );
    // Upstream's has no labels either, but is shown with the first lease only.
    this.#leaseObjects = registry.histogram(
      'etcd_lease_object_counts',
      '[ALPHA] Number of objects attached to a single etcd lease.',
      { labelNames: [], bounds: [10, 50, 100, 500, 1000, 2500, 5000] },
    );
    this.#retries = registry.counter('etcd_request_retry_total', '[ALPHA] Etcd request retry total', ['error']);
  }

  /** A lease has been replaced that so many objects were written under. */
  readonly leaseReplaced = (objects: number): void => {
    this.#leaseObjects.cell().observe(objects);
  };

  /** A call is made again after this error. */
  readonly retried = (label: string): void => {
    this.#retries.cell(label).inc();
  };

  /** The metrics of one resource. Their cells are looked up once, not per call. */
  forResource({ group, resource }: GroupResource): StoreMetrics {
    const byOperation = new Map<EtcdOperation, OperationCells>();
    const operationMetrics = (operation: EtcdOperation): OperationCells => {
      let metrics = byOperation.get(operation);
      if (metrics === undefined) {
        metrics = {
          seconds: this.#requestSeconds.cell(operation, group, resource),
          requests: this.#requests.cell(operation, group, resource),
          errors: this.#requestErrors.cell(operation, group, resource),
        };
        byOperation.set(operation, metrics);
      }
      return metrics;
    };
    // Most resources are never listed or watched.
    let lists: ListCells | undefined;
    let events: ValueCell | undefined;
    const listCells = (): ListCells => ({
      lists: this.#lists.cell(group, resource),
      fetched: this.#fetched.cell(group, resource),
      evaluated: this.#evaluated.cell(group, resource),
      returned: this.#returned.cell(group, resource),
    });
    const eventCell = (): ValueCell => this.#events.cell(group, resource);
    const bookmark = (): void => this.#bookmarks.cell(group, resource).inc();
    const decodeError = (): void => this.#decodeErrors.cell(group, resource).inc();
    return {
      request(operation, startedMs, failed) {
        const metrics = operationMetrics(operation);
        metrics.requests.inc();
        if (failed) metrics.errors.inc();
        metrics.seconds.observe((performance.now() - startedMs) / 1000);
      },
      list(fetched, evaluated, returned) {
        lists ??= listCells();
        lists.lists.inc();
        lists.fetched.inc(fetched);
        lists.evaluated.inc(evaluated);
        lists.returned.inc(returned);
      },
      decodeError,
      events(count) {
        (events ??= eventCell()).inc(count);
      },
      bookmark,
    };
  }
}
