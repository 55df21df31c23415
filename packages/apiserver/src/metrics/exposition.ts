import type { MetricRegistry, RegisteredMetric } from '@kubechain/shared-storage/metrics';
import { Registry } from 'prom-client';
import { CollectedSeries } from './collected-series.ts';
import { collectProcessMetrics } from './collect-process-metrics.ts';

/** Facts of the process, whichever of its servers is asked. */
const ofProcess = new Registry();
collectProcessMetrics(ofProcess);

/**
 * What /metrics shows of a server: prom-client's metrics of the process, the server's own counts, and whatever an
 * embedding program registers. Loaded with the first scrape: prom-client takes 20 to 60 ms to load, which no start
 * should wait for, and its event loop monitor wakes a process that nobody looks at.
 */
export class Exposition {
  readonly registry = new Registry();
  readonly #shown = new Map<string, RegisteredMetric>();
  readonly #metrics: MetricRegistry;
  readonly #disabled: ReadonlySet<string>;

  /**
   * @param metrics the server's own; read at each scrape
   * @param disabled whole names of those that are not shown
   */
  constructor(metrics: MetricRegistry, disabled: ReadonlySet<string> = new Set()) {
    this.#metrics = metrics;
    this.#disabled = disabled;
  }

  /** Prometheus text of all metrics by name; nothing of a metric without samples, as Go's client does. */
  async text(): Promise<string> {
    this.#adopt();
    const named = [ofProcess, this.registry].flatMap((registry) =>
      registry
        .getMetricsAsArray()
        .filter(({ name }) => !this.#disabled.has(name))
        .map(({ name }) => ({ name, registry })),
    );
    named.sort((a, b) => byCodeUnits(a.name, b.name));
    const texts = await Promise.all(named.map(({ name, registry }) => registry.getSingleMetricAsString(name)));
    return texts
      .filter(hasSamples)
      .map((text) => `${text}\n`)
      .join('');
  }

  /** Takes metrics in that came, or were replaced, since the last scrape. */
  #adopt(): void {
    for (const metric of this.#metrics.all()) {
      const { name } = metric.description;
      if (this.#shown.get(name) === metric) continue;
      this.registry.removeSingleMetric(name);
      this.registry.registerMetric(new CollectedSeries(metric));
      this.#shown.set(name, metric);
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
