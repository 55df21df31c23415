import type { HistogramCell, MetricRegistry } from '@kubechain/shared-storage/metrics';
import { ServiceAccountTokenMetrics } from './service-account/token-metrics.ts';
import { TokenCacheMetrics } from './token/token-cache-metrics.ts';

const hour = 3_600;
const day = 24 * hour;
const certificateBounds = [
  ...[0, 0.5, 1, 2, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 4, 7, 30, 90, 180, 360].map((days) => days * day),
];

/** What authenticators find in requests. One for all of a server's: a registry has each name once. */
export class AuthenticatorMetrics {
  /** Seconds for which certificates of requests are still good (authentication/request/x509, 1.36). */
  readonly certificateExpirations: HistogramCell;
  readonly tokenCache: TokenCacheMetrics;
  readonly serviceAccountTokens: ServiceAccountTokenMetrics;

  constructor(registry: MetricRegistry) {
    this.certificateExpirations = registry
      .histogram(
        'apiserver_client_certificate_expiration_seconds',
        '[ALPHA] Distribution of the remaining lifetime on the certificate used to authenticate a request.',
        { labelNames: [], bounds: certificateBounds },
      )
      .cell();
    this.tokenCache = new TokenCacheMetrics(registry);
    this.serviceAccountTokens = new ServiceAccountTokenMetrics(registry);
  }
}
