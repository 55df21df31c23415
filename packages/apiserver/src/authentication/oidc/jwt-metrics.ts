import { hashedLabel } from '@kubechain/shared-storage/metrics';
import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { apiServerID } from '../../options/api-server-id.ts';

const prefix = 'apiserver_authentication_jwt_authenticator';
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What issuers' tokens and keys cost, under the reference's names (token/oidc/metrics.go, 1.36). */
export class JWTMetrics {
  readonly #latencies: HistogramFamily;
  readonly #fetches: ValueFamily;
  readonly #keys = new Map<string, string>();
  readonly #now: () => number;

  /** @param now milliseconds since 1970 */
  constructor(registry: MetricRegistry, now: () => number) {
    this.#now = now;
    this.#latencies = registry.histogram(
      `${prefix}_latency_seconds`,
      '[ALPHA] Latency of jwt authentication operations in seconds. This is the time spent authenticating a token ' +
        'for cache miss only (i.e. when the token is not found in the cache).',
      { labelNames: ['result', 'jwt_issuer_hash'], bounds },
    );
    this.#fetches = registry.gauge(
      `${prefix}_jwks_fetch_last_timestamp_seconds`,
      '[ALPHA] Timestamp of the last successful or failed JWKS fetch split by result, api server identity and jwt ' +
        'issuer for the JWT authenticator.',
      ['result', 'jwt_issuer_hash', 'apiserver_id_hash'],
    );
    const keys = this.#keys;
    registry.collected(
      {
        name: `${prefix}_jwks_fetch_last_key_set_info`,
        type: 'gauge',
        help:
          '[ALPHA] Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api ' +
          'server identity and jwt issuer.',
      },
      function* () {
        for (const [issuer, hash] of keys)
          yield {
            value: 1,
            labels: { jwt_issuer_hash: hashedLabel(issuer), apiserver_id_hash: hashedLabel(apiServerID()), hash },
          };
      },
    );
  }

  authenticated(issuer: string, result: 'success' | 'failure', seconds: number): void {
    this.#latencies.cell(result, hashedLabel(issuer)).observe(seconds);
  }

  keysFetched(issuer: string, keySet: string): void {
    this.#keys.set(issuer, hashedLabel(keySet));
    this.#fetches.cell('success', hashedLabel(issuer), hashedLabel(apiServerID())).set(this.#now() / 1000);
  }

  keysFailed(issuer: string): void {
    this.#fetches.cell('failure', hashedLabel(issuer), hashedLabel(apiServerID())).set(this.#now() / 1000);
  }
}
