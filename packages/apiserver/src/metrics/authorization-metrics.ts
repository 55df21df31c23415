import { HistogramCell, histogramSamples, type MetricRegistry } from '@kubechain/shared-storage/metrics';
import { rightsBuckets } from './rights-buckets.ts';

/** What an authorizer says, and what it did not come to say. */
export type AuthorizationOutcome = 'allowed' | 'denied' | 'no-opinion' | 'error';

/** authorization_attempts_total and authorization_duration_seconds (endpoints/filters/metrics.go, 1.36). */
export class AuthorizationMetrics {
  readonly #durations = new Map<AuthorizationOutcome, HistogramCell>();

  decided(outcome: AuthorizationOutcome, durationMs: number): void {
    let cell = this.#durations.get(outcome);
    if (cell === undefined) this.#durations.set(outcome, (cell = new HistogramCell(rightsBuckets)));
    cell.observe(durationMs / 1_000);
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    const durations = this.#durations;
    registry.collected(
      {
        name: 'authorization_attempts_total',
        type: 'counter',
        help:
          "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', " +
          "'no-opinion' or 'error'.",
      },
      function* () {
        for (const [result, { count }] of durations) yield { value: count, labels: { result } };
      },
    );
    registry.collected(
      {
        name: 'authorization_duration_seconds',
        type: 'histogram',
        help: '[ALPHA] Authorization duration in seconds broken out by result.',
      },
      function* () {
        for (const [result, cell] of durations)
          yield* histogramSamples('authorization_duration_seconds', { result }, cell);
      },
    );
  }
}
