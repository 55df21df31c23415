import { defaultBounds } from '@kubechain/shared-storage/metrics';
import type { HistogramCell, MetricRegistry, ValueCell, ValueFamily } from '@kubechain/shared-storage/metrics';

/** The reference says nothing of what these metrics are. */
const noHelp = '[ALPHA] ';

/** What caches of tokens find, under the reference's names (authentication/token/cache/stats.go, 1.36). */
export class TokenCacheMetrics {
  readonly #hits: ValueCell;
  readonly #misses: ValueCell;
  readonly #hitDurations: HistogramCell;
  readonly #missDurations: HistogramCell;
  readonly #fetches: ValueFamily;
  readonly #blocked: ValueCell;
  readonly #inFlight: ValueCell;

  constructor(registry: MetricRegistry) {
    const requests = registry.counter('authentication_token_cache_request_total', noHelp, ['status']);
    const durations = registry.histogram('authentication_token_cache_request_duration_seconds', noHelp, {
      labelNames: ['status'],
      bounds: defaultBounds,
    });
    this.#fetches = registry.counter('authentication_token_cache_fetch_total', noHelp, ['status']);
    const active = registry.gauge('authentication_token_cache_active_fetch_count', noHelp, ['status']);
    this.#hits = requests.cell('hit');
    this.#misses = requests.cell('miss');
    this.#hitDurations = durations.cell('hit');
    this.#missDurations = durations.cell('miss');
    this.#blocked = active.cell('blocked');
    this.#inFlight = active.cell('in_flight');
  }

  /** A token was known. The reference tells whole milliseconds, of which that takes none. */
  hit(): void {
    this.#hits.inc();
    this.#hitDurations.observe(0);
  }

  /** A token is not known: somebody waits for who is asked. To be called back once that is over. */
  missed(): () => void {
    const startedAt = performance.now();
    this.#blocked.inc();
    return () => {
      this.#blocked.inc(-1);
      this.#misses.inc();
      this.#missDurations.observe(Math.trunc(performance.now() - startedAt) / 1_000);
    };
  }

  /** Whoever knows is asked, for all who wait. To be called back once that is over. */
  fetching(): (succeeded: boolean) => void {
    this.#inFlight.inc();
    return (succeeded) => {
      this.#inFlight.inc(-1);
      this.#fetches.cell(succeeded ? 'ok' : 'error').inc();
    };
  }
}
