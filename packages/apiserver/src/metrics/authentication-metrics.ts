import type { MetricRegistry } from '@kubechain/shared-storage/metrics';

/** authenticated_user_requests and authentication_attempts (endpoints/filters/metrics.go). */
export class AuthenticationMetrics {
  readonly #users = new Map<string, number>();
  #succeeded = 0;
  #failed = 0;
  #errors = 0;

  /** Users are compressed to upstream's few names, because names are unbounded. */
  authenticated(user: string): void {
    this.#succeeded++;
    const name = compressUsername(user);
    this.#users.set(name, (this.#users.get(name) ?? 0) + 1);
  }

  failed(withError: boolean): void {
    if (withError) this.#errors++;
    else this.#failed++;
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    const users = this.#users;
    registry.collected(
      {
        name: 'authenticated_user_requests',
        type: 'counter',
        help: 'Counter of authenticated requests broken out by username.',
      },
      function* () {
        for (const [username, value] of users) yield { value, labels: { username } };
      },
    );
    registry.collected(
      { name: 'authentication_attempts', type: 'counter', help: 'Counter of authenticated attempts.' },
      () => [
        { value: this.#succeeded, labels: { result: 'success' } },
        { value: this.#failed, labels: { result: 'failure' } },
        { value: this.#errors, labels: { result: 'error' } },
      ],
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
