import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import type { ConversionEnd } from './conversion-end.ts';

/** One call of a webhook. Versions are without their group. */
export interface ConversionCall {
  readonly crd: string;
  readonly from: string;
  readonly to: string;
  readonly seconds: number;
}

/**
 * The reference's metrics of conversion webhooks (apiextensions-apiserver, conversion/metrics.go, 1.36), and one of our
 * own: why calls end.
 */
export class ConversionMetrics {
  readonly #requests: ValueFamily;
  readonly #latencies: HistogramFamily;
  readonly #durations: HistogramFamily;
  readonly #terminations: ValueFamily;

  constructor(registry: MetricRegistry) {
    this.#requests = registry.counter(
      'apiserver_conversion_webhook_request_total',
      '[ALPHA] Counter for conversion webhook requests with success/failure and failure error type',
      ['result', 'failure_type'],
    );
    this.#latencies = registry.histogram(
      'apiserver_conversion_webhook_duration_seconds',
      '[ALPHA] Conversion webhook request latency',
      {
        labelNames: ['result', 'failure_type'],
        bounds: [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 45, 60],
      },
    );
    this.#durations = registry.histogram(
      'apiserver_crd_conversion_webhook_duration_seconds',
      '[ALPHA] CRD webhook conversion duration in seconds',
      {
        labelNames: ['crd_name', 'from_version', 'to_version', 'succeeded'],
        bounds: Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i),
      },
    );
    this.#terminations = registry.counter(
      'apiserver_conversion_webhook_terminations_total',
      'Number of calls of conversion webhooks that have ended, by reason.',
      ['crd', 'reason'],
    );
  }

  ended({ crd, from, seconds, to }: ConversionCall, end: ConversionEnd): void {
    this.#terminations.cell(crd, end).inc();
    this.#durations.cell(crd, from, to, String(end === 'converted')).observe(seconds);
    const type = failureType(end);
    // Who was not asked made no request.
    if (type === undefined) return;
    const labels = [type === '' ? 'success' : 'failure', type] as const;
    this.#requests.cell(...labels).inc();
    this.#latencies.cell(...labels).observe(seconds);
  }
}

/** The reference's name of a failure; '' for success. */
function failureType(end: ConversionEnd): string | undefined {
  switch (end) {
    case 'converted':
      return '';
    case 'timeout':
    case 'refused':
    case 'no_answer':
      return 'conversion_webhook_call_failure';
    case 'invalid_answer':
    case 'failed':
      return 'conversion_webhook_malformed_response_failure';
    case 'partial_answer':
      return 'conversion_webhook_partial_response_failure';
    case 'invalid_object':
      return 'conversion_webhook_invalid_converted_object_failure';
    case 'unsupported':
      return undefined;
    default:
      return end satisfies never;
  }
}
