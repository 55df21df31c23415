import { HistogramCell, histogramSamples, type MetricRegistry } from '@kubechain/shared-storage/metrics';
import { rightsBuckets } from './rights-buckets.ts';

/** authenticated_user_requests, authentication_attempts and authentication_duration_seconds (endpoints/filters/metrics.go). */
export class AuthenticationMetrics {
  readonly #users = new Map<string, number>();
  #succeeded = 0;
  #failed = 0;
  #errors = 0;
  readonly #durations = new Map<'success' | 'failure' | 'error', HistogramCell>();

  /** Users are compressed to upstream's few names, because names are unbounded. */
  authenticated(user: string, durationMs: number): void {
    this.#succeeded++;
    this.#took('success', durationMs);
    const name = compressUsername(user);
    this.#users.set(name, (this.#users.get(name) ?? 0) + 1);
  }

  failed(withError: boolean, durationMs: number): void {
    if (withError) this.#errors++;
    else this.#failed++;
    this.#took(withError ? 'error' : 'failure', durationMs);
  }

  #took(result: 'success' | 'failure' | 'error', durationMs: number): void {
    let cell = this.#durations.get(result);
    if (cell === undefined) this.#durations.set(result, (cell = new HistogramCell(rightsBuckets)));
    cell.observe(durationMs / 1_000);
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    const users = this.#users;
    registry.collected(
      {
        name: 'authenticated_user_requests',
        type: 'counter',
        help: '[ALPHA] Counter of authenticated requests broken out by username.',
      },
      function* () {
        for (const [username, value] of users) yield { value, labels: { username } };
      },
    );
    registry.collected(
      { name: 'authentication_attempts', type: 'counter', help: '[ALPHA] Counter of authenticated attempts.' },
      () => [
        { value: this.#succeeded, labels: { result: 'success' } },
        { value: this.#failed, labels: { result: 'failure' } },
        { value: this.#errors, labels: { result: 'error' } },
      ],
    );
    const durations = this.#durations;
    registry.collected(
      {
        name: 'authentication_duration_seconds',
        type: 'histogram',
        help: '[ALPHA] Authentication duration in seconds broken out by result.',
      },
      function* () {
        for (const [result, cell] of durations)
          yield* histogramSamples('authentication_duration_seconds', { result }, cell);
      },
    );
  }
}

function compressUsername(user: string): string {
  if (
    user === 'admin' ||
    user === 'client' ||
    user === 'kube_proxy' ||
    user === 'kubelet' ||
    user === 'system:serviceaccount:kube-system:default'
  )
    return user;
  const at = user.lastIndexOf('@');
  return at >= 0 ? 'email_id' : 'other';
}
