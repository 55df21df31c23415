import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { EgressError } from './egress-error.ts';

/** Upstream's, seconds (egressselector/metrics/metrics.go, 1.36). */
const durationBounds = [0.005, 0.025, 0.1, 0.5, 2.5, 12.5];

/** How a proxy is spoken with. */
export interface ProxyWay {
  readonly protocol: 'http_connect' | 'grpc';
  readonly transport: 'tcp' | 'uds';
}

/** Counts connections that are made through proxies: `apiserver_egress_dialer_*`. */
export class DialMetrics {
  readonly #starts: ValueFamily;
  readonly #durations: HistogramFamily;
  readonly #failures: ValueFamily;

  constructor(registry: MetricRegistry) {
    const of = (what: string): string => `apiserver_egress_dialer_${what}`;
    const labels = ['protocol', 'transport'];
    this.#starts = registry.counter(
      of('dial_start_total'),
      '[ALPHA] Dial starts, labeled by the protocol (http-connect or grpc) and transport (tcp or uds).',
      labels,
    );
    this.#durations = registry.histogram(
      of('dial_duration_seconds'),
      '[ALPHA] Dial latency histogram in seconds, labeled by the protocol (http-connect or grpc), transport (tcp or ' +
        'uds)',
      { labelNames: labels, bounds: durationBounds },
    );
    this.#failures = registry.counter(
      of('dial_failure_count'),
      '[ALPHA] Dial failure count, labeled by the protocol (http-connect or grpc), transport (tcp or uds), and stage ' +
        '(connect or proxy). The stage indicates at which stage the dial failed',
      [...labels, 'stage'],
    );
  }

  /** Counts a dial, and how it ends. */
  async counted<T>({ protocol, transport }: ProxyWay, dial: () => Promise<T>): Promise<T> {
    this.#starts.cell(protocol, transport).inc();
    const startedAt = performance.now();
    try {
      const connection = await dial();
      this.#durations.cell(protocol, transport).observe((performance.now() - startedAt) / 1_000);
      return connection;
    } catch (error) {
      // Whoever could not be connected at all has said nothing.
      const stage = error instanceof EgressError ? error.stage : 'connect';
      this.#failures.cell(protocol, transport, stage).inc();
      throw error;
    }
  }
}
