import type { MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';

/** Metrics of aggregated discovery (apiserver/pkg/endpoints/discovery/aggregated/metrics.go, 1.36). */
export class DiscoveryMetrics {
  readonly #aggregations;
  readonly #hits;
  readonly #misses;
  readonly #withoutPeers;

  constructor(registry: MetricRegistry) {
    const counter = (name: string, help: string): ReturnType<ValueFamily['cell']> =>
      registry.counter(name, help, []).cell();
    this.#aggregations = counter(
      'aggregator_discovery_aggregation_count_total',
      '[ALPHA] Counter of number of times discovery was aggregated',
    );
    this.#hits = counter(
      'aggregator_discovery_peer_aggregated_cache_hits_total',
      '[ALPHA] Counter of number of times discovery was served from peer-aggregated cache',
    );
    this.#misses = counter(
      'aggregator_discovery_peer_aggregated_cache_misses_total',
      '[ALPHA] Counter of number of times discovery was aggregated across all API servers',
    );
    this.#withoutPeers = counter(
      'aggregator_discovery_nopeer_requests_total',
      '[ALPHA] Counter of number of times no-peer (non peer-aggregated) discovery was requested',
    );
  }

  /** The document of what is served here was made. */
  aggregated(): void {
    this.#aggregations.inc();
  }

  /** The document of what all API servers serve was asked for: it was there, or had to be made. */
  ofAll(found: boolean): void {
    (found ? this.#hits : this.#misses).inc();
  }

  /** Somebody asked for what is served here alone. */
  ofThisAlone(): void {
    this.#withoutPeers.inc();
  }
}
