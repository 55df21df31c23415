import { MetricRegistry } from '@kubechain/shared-storage/metrics';

/** Upstream's, seconds and bytes (component-base/metrics/prometheus/restclient, 1.36). */
const durationBounds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const sizeBounds = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];
const labelNames = ['verb', 'host'];

/** `rest_client_*` of a process, with client-go's names, labels and buckets; verbs are methods of HTTP, as there. */
export class RequestMetrics {
  readonly registry = new MetricRegistry();
  readonly #host: string;
  readonly #requests = this.registry.counter(
    'rest_client_requests_total',
    'Number of HTTP requests, partitioned by status code, method, and host.',
    ['code', 'method', 'host'],
  );
  readonly #retries = this.registry.counter(
    'rest_client_request_retries_total',
    'Number of request retries, partitioned by status code, verb, and host.',
    ['code', 'verb', 'host'],
  );
  readonly #durations = this.registry.histogram(
    'rest_client_request_duration_seconds',
    'Request latency in seconds. Broken down by verb, and host.',
    { labelNames, bounds: durationBounds },
  );
  readonly #waits = this.registry.histogram(
    'rest_client_rate_limiter_duration_seconds',
    'Client side rate limiter latency in seconds. Broken down by verb, and host.',
    { labelNames, bounds: durationBounds },
  );
  readonly #requestBytes = this.registry.histogram(
    'rest_client_request_size_bytes',
    'Request size in bytes. Broken down by verb and host.',
    { labelNames, bounds: sizeBounds },
  );
  readonly #responseBytes = this.registry.histogram(
    'rest_client_response_size_bytes',
    'Response size in bytes. Broken down by verb and host.',
    { labelNames, bounds: sizeBounds },
  );

  /** @param host `host:port` of the server */
  constructor(host: string) {
    this.#host = host;
  }

  /** An attempt has got an answer, or none; `retry` for those after the first. */
  attempted(method: string, status: number | undefined, retry: boolean): void {
    const code = status === undefined ? '<error>' : String(status);
    this.#requests.cell(code, method, this.#host).inc();
    if (retry) this.#retries.cell(code, method, this.#host).inc();
  }

  /** The limiter has let a request through after so long. */
  waited(method: string, milliseconds: number): void {
    this.#waits.cell(method, this.#host).observe(milliseconds / 1_000);
  }

  /** So much is sent; 0 without a body. */
  sent(method: string, bytes: number): void {
    this.#requestBytes.cell(method, this.#host).observe(bytes);
  }

  /** A request that is no watch is over, its answer read or not, after so long. */
  ended(method: string, milliseconds: number): void {
    this.#durations.cell(method, this.#host).observe(milliseconds / 1_000);
  }

  /** An answer of so many bytes has been read. */
  read(method: string, bytes: number): void {
    this.#responseBytes.cell(method, this.#host).observe(bytes);
  }
}
