import { collectDefaultMetrics, Registry } from 'prom-client';
import { collectedMetrics, type CollectedMetric } from './collected-metric.ts';
import { CollectedSeries } from './collected-series.ts';

/** As the reference sends it. */
const contentType = 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores';

/**
 * What /metrics shows: prom-client's metrics of the process (`process_*`, `nodejs_*`), the server's own counts, and
 * whatever an embedding program registers. Loaded with the first scrape: prom-client takes 20 to 60 ms to load, which
 * no start should wait for, and its event loop monitor wakes a process that nobody looks at.
 */
export class Exposition {
  readonly registry = new Registry();
  readonly #shown = new Map<string, CollectedMetric>();
  readonly #metrics: () => Iterable<CollectedMetric>;

  /** @param metrics the server's own; read at each scrape */
  constructor(metrics: () => Iterable<CollectedMetric> = collectedMetrics) {
    this.#metrics = metrics;
    collectDefaultMetrics({ register: this.registry });
  }

  /** Prometheus text of all metrics by name; nothing of a metric without samples, as Go's client does. */
  async text(): Promise<string> {
    this.#adopt();
    const names = this.registry
      .getMetricsAsArray()
      .map(({ name }) => name)
      .sort(byCodeUnits);
    const texts = await Promise.all(names.map((name) => this.registry.getSingleMetricAsString(name)));
    return texts
      .filter(hasSamples)
      .map((text) => `${text}\n`)
      .join('');
  }

  /** The body of an answer, and its Content-Type. */
  async scrape(): Promise<{ readonly text: string; readonly contentType: string }> {
    return { text: await this.text(), contentType };
  }

  /** Takes metrics in that came, or were replaced, since the last scrape. */
  #adopt(): void {
    for (const metric of this.#metrics()) {
      if (this.#shown.get(metric.name) === metric) continue;
      this.registry.removeSingleMetric(metric.name);
      this.registry.registerMetric(new CollectedSeries(metric));
      this.#shown.set(metric.name, metric);
    }
  }
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Beyond its HELP and TYPE lines. */
function hasSamples(text: string): boolean {
  return text.indexOf('\n', text.indexOf('\n') + 1) !== -1;
}
