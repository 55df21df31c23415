import type { GroupVersionResource } from '@kubechain/apimachinery';
import { HistogramCell, histogramSamples, type MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { Labels } from './labels.ts';

const sizeBuckets = Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i);
const listBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60];

/** The numbers of all watches of one resource in one version. */
export class ResourceWatchMetrics {
  readonly labels: Labels;
  readonly sizes = new HistogramCell(sizeBuckets);
  /** By scope. */
  readonly lists = new Map<string, HistogramCell>();
  /** By reason. */
  readonly terminations = new Map<string, number>();

  constructor({ group, resource, version }: GroupVersionResource) {
    this.labels = { group, version, resource };
  }

  /** One event went out, in so many bytes. */
  sent(bytes: number): void {
    this.sizes.observe(bytes);
  }

  /** One watch ended. @param reason a kind of WatchTermination */
  terminated(reason: string): void {
    this.terminations.set(reason, (this.terminations.get(reason) ?? 0) + 1);
  }

  /**
   * All initial events of a watch went out, so long after its request came. @param scope cluster, namespace or resource
   */
  listed(scope: string, seconds: number): void {
    let cell = this.lists.get(scope);
    if (cell === undefined) this.lists.set(scope, (cell = new HistogramCell(listBuckets)));
    cell.observe(seconds);
  }
}

/**
 * The reference's metrics of watches (endpoints/metrics, 1.36): events sent, their sizes, and how long initial events
 * take; and one of our own: why watches end.
 */
export class WatchMetrics {
  readonly #resources = new Map<string, ResourceWatchMetrics>();

  /** The numbers of one resource's watches: the same each time. */
  of(resource: GroupVersionResource): ResourceWatchMetrics {
    const key = `${resource.group}/${resource.version}/${resource.resource}`;
    let metrics = this.#resources.get(key);
    if (metrics === undefined) this.#resources.set(key, (metrics = new ResourceWatchMetrics(resource)));
    return metrics;
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    const resources = this.#resources;
    registry.collected(
      { name: 'apiserver_watch_events_total', type: 'counter', help: '[ALPHA] Number of events sent in watch clients' },
      function* () {
        for (const { labels, sizes } of resources.values()) if (sizes.count > 0) yield { value: sizes.count, labels };
      },
    );
    registry.collected(
      {
        name: 'apiserver_watch_events_sizes',
        type: 'histogram',
        help: '[ALPHA] Watch event size distribution in bytes',
      },
      function* () {
        for (const { labels, sizes } of resources.values())
          if (sizes.count > 0) yield* histogramSamples('apiserver_watch_events_sizes', labels, sizes);
      },
    );
    registry.collected(
      {
        name: 'apiserver_watch_list_duration_seconds',
        type: 'histogram',
        help:
          '[BETA] Response latency distribution in seconds for watch list requests broken by group, version, ' +
          'resource and scope.',
      },
      function* () {
        for (const { labels, lists } of resources.values())
          for (const [scope, cell] of lists)
            yield* histogramSamples('apiserver_watch_list_duration_seconds', { ...labels, scope }, cell);
      },
    );
    registry.collected(
      {
        name: 'apiserver_watch_terminations_total',
        type: 'counter',
        help: 'Number of watches that were answered and have ended, by reason.',
      },
      function* () {
        for (const { labels, terminations } of resources.values())
          for (const [reason, value] of terminations) yield { value, labels: { ...labels, reason } };
      },
    );
  }
}
