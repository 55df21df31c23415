import type { GroupResource } from '@kubechain/apimachinery';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { EtcdOperation, StoreMetrics } from './store-metrics.ts';

const resourceLabels = ['group', 'resource'] as const;
const requestLabels = ['operation', 'group', 'resource'] as const;
const requestBuckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** The reference's metrics of the etcd store (etcd3/metrics, 1.36) in one registry, shared by all resources. */
export class StoreMetricSet {
  readonly #requestSeconds: Histogram<typeof requestLabels[number]>;
  readonly #requests: Counter<typeof requestLabels[number]>;
  readonly #requestErrors: Counter<typeof requestLabels[number]>;
  readonly #events: Counter<typeof resourceLabels[number]>;
  readonly #bookmarkCounts: Gauge<typeof resourceLabels[number]>;
  readonly #bookmarks: Counter<typeof resourceLabels[number]>;
  readonly #lists: Counter<typeof resourceLabels[number]>;
  readonly #fetched: Counter<typeof resourceLabels[number]>;
  readonly #evaluated: Counter<typeof resourceLabels[number]>;
  readonly #returned: Counter<typeof resourceLabels[number]>;
  readonly #decodeErrors: Counter<typeof resourceLabels[number]>;

  constructor(registry: Registry) {
    const registers = [registry];
    const perRequest = (name: string, help: string): Counter<typeof requestLabels[number]> => new Counter({ name, help: `[ALPHA] ${help}`, labelNames: requestLabels, registers });
    const perResource = (name: string, help: string): Counter<typeof resourceLabels[number]> => new Counter({ name, help, labelNames: resourceLabels, registers });
    this.#requestSeconds = new Histogram({
      name: 'etcd_request_duration_seconds', help: '[ALPHA] Etcd request latency in seconds for each operation and object type.', labelNames: requestLabels, registers, buckets: requestBuckets,
    });
    this.#requests = perRequest('etcd_requests_total', 'Etcd request counts for each operation and object type.');
    this.#requestErrors = perRequest('etcd_request_errors_total', 'Etcd failed request counts for each operation and object type.');
    this.#events = perResource('apiserver_storage_events_received_total', '[BETA] Number of etcd events received split by kind.');
    this.#bookmarkCounts = new Gauge({
      name: 'etcd_bookmark_counts', help: '[ALPHA] (Deprecated since 1.36.0) Number of etcd bookmarks (progress notify events) split by kind.', labelNames: resourceLabels, registers,
    });
    this.#bookmarks = perResource('etcd_bookmark_total', '[ALPHA] Number of etcd bookmarks (progress notify events) split by kind.');
    this.#lists = perResource('apiserver_storage_list_total', '[ALPHA] Number of LIST requests served from storage');
    this.#fetched = perResource('apiserver_storage_list_fetched_objects_total', '[ALPHA] Number of objects read from storage in the course of serving a LIST request');
    this.#evaluated = perResource('apiserver_storage_list_evaluated_objects_total', '[ALPHA] Number of objects tested in the course of serving a LIST request from storage');
    this.#returned = perResource('apiserver_storage_list_returned_objects_total', '[ALPHA] Number of objects returned for a LIST request from storage');
    this.#decodeErrors = perResource('apiserver_storage_decode_errors_total', '[ALPHA] Number of stored object decode errors split by object type');
  }

  /** The metrics of one resource. Children with their labels are looked up once, not per call. */
  forResource({ group, resource }: GroupResource): StoreMetrics {
    const labels = { group, resource };
    const byOperation = new Map<EtcdOperation, { readonly seconds: Histogram.Internal<string>; readonly requests: Counter.Internal; readonly errors: Counter.Internal }>();
    const operationMetrics = (operation: EtcdOperation): { readonly seconds: Histogram.Internal<string>; readonly requests: Counter.Internal; readonly errors: Counter.Internal } => {
      let metrics = byOperation.get(operation);
      if (metrics === undefined) {
        metrics = {
          seconds: this.#requestSeconds.labels(operation, group, resource),
          requests: this.#requests.labels(operation, group, resource),
          errors: this.#requestErrors.labels(operation, group, resource),
        };
        byOperation.set(operation, metrics);
      }
      return metrics;
    };
    const events = this.#events.labels(labels);
    const bookmarkCounts = this.#bookmarkCounts.labels(labels);
    const bookmarks = this.#bookmarks.labels(labels);
    const lists = this.#lists.labels(labels);
    const fetchedObjects = this.#fetched.labels(labels);
    const evaluatedObjects = this.#evaluated.labels(labels);
    const returnedObjects = this.#returned.labels(labels);
    const decodeErrors = this.#decodeErrors.labels(labels);
    return {
      request(operation, startedMs, failed) {
        const metrics = operationMetrics(operation);
        metrics.requests.inc();
        if (failed) metrics.errors.inc();
        metrics.seconds.observe((performance.now() - startedMs) / 1000);
      },
      list(fetched, evaluated, returned) {
        lists.inc();
        fetchedObjects.inc(fetched);
        evaluatedObjects.inc(evaluated);
        returnedObjects.inc(returned);
      },
      decodeError() { decodeErrors.inc(); },
      events(count) { events.inc(count); },
      bookmark() {
        bookmarkCounts.inc();
        bookmarks.inc();
      },
    };
  }
}
