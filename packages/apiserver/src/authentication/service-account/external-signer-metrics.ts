import type { HistogramFamily, MetricRegistry, ValueFamily } from '@kubechain/shared-storage/metrics';
import { isEtcdError } from '@kubechain/shared-storage/etcd';

const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** `apiserver_externaljwt_*` (pkg/serviceaccount/externaljwt/metrics, 1.36). */
export class ExternalSignerMetrics {
  readonly #fetchedAt: ValueFamily;
  readonly #dataTimestamp: ValueFamily;
  readonly #fetches: ValueFamily;
  readonly #signatures: ValueFamily;
  readonly #durations: HistogramFamily;

  constructor(registry: MetricRegistry) {
    this.#fetchedAt = registry.gauge(
      'apiserver_externaljwt_fetch_keys_success_timestamp',
      'Unix Timestamp in seconds of the last successful FetchKeys request',
      [],
    );
    this.#dataTimestamp = registry.gauge(
      'apiserver_externaljwt_fetch_keys_data_timestamp',
      'Unix Timestamp in seconds of the last successful FetchKeys data_timestamp value returned by the external signer',
      [],
    );
    this.#fetches = registry.counter(
      'apiserver_externaljwt_fetch_keys_request_total',
      'Total attempts at syncing supported JWKs',
      ['code'],
    );
    this.#signatures = registry.counter('apiserver_externaljwt_sign_request_total', 'Total attempts at signing JWT', [
      'code',
    ]);
    this.#durations = registry.histogram(
      'apiserver_externaljwt_request_duration_seconds',
      'Request duration and time for calls to external-jwt-signer',
      { labelNames: ['method', 'code'], bounds },
    );
  }

  fetched(at: { readonly nowSeconds: number; readonly dataTimestampSeconds: number }): void {
    this.#fetches.cell('OK').inc();
    this.#fetchedAt.cell().set(at.nowSeconds);
    this.#dataTimestamp.cell().set(at.dataTimestampSeconds);
  }

  fetchFailed(error: unknown): void {
    this.#fetches.cell(codeOf(error)).inc();
  }

  signed(error?: unknown): void {
    this.#signatures.cell(codeOf(error)).inc();
  }

  called(method: string, { error, seconds }: { readonly seconds: number; readonly error: unknown }): void {
    this.#durations.cell(method, codeOf(error)).observe(seconds);
  }
}

/** As Go names codes of gRPC. */
function codeOf(error: unknown): string {
  if (error === undefined) return 'OK';
  if (error instanceof Error && error.cause !== undefined) return codeOf(error.cause);
  if (!isEtcdError(error)) return 'unknown-non-grpc';
  return error.code === 'Cancelled' ? 'Canceled' : error.code;
}
