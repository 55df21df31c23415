import { MetricRegistry, type ValueFamily } from '@kubechain/shared-storage/metrics';
import type { HealthCheckResult, HealthEndpoint } from './health-check.ts';

/**
 * What became of the checks that somebody asked for, as `/metrics/slis` shows it (component-base
 * metrics/prometheus/slis, 1.36).
 */
export class HealthMetrics {
  readonly #registry = new MetricRegistry();
  readonly #last: ValueFamily;
  readonly #total: ValueFamily;

  constructor() {
    this.#last = this.#registry.gauge(
      'kubernetes_healthcheck',
      '[STABLE] This metric records the result of a single healthcheck.',
      ['name', 'type'],
    );
    this.#total = this.#registry.counter(
      'kubernetes_healthchecks_total',
      '[STABLE] This metric records the results of all healthcheck.',
      ['name', 'status', 'type'],
    );
    this.#registry
      .gauge('process_start_time_seconds', '[ALPHA] Start time of the process since unix epoch in seconds.', [])
      .cell()
      .set(performance.timeOrigin / 1000);
  }

  /** Counts the results of one report. */
  observe(endpoint: HealthEndpoint, results: readonly HealthCheckResult[]): void {
    for (const { name, ok } of results) {
      this.#last.cell(name, endpoint).set(ok ? 1 : 0);
      this.#total.cell(name, ok ? 'success' : 'error', endpoint).inc();
    }
  }

  /** Prometheus text. */
  async text(): Promise<string> {
    // Loaded late, as all of prom-client: see Exposition.
    const { textOf } = await import('../metrics/text-of.ts');
    return textOf(this.#registry);
  }
}
