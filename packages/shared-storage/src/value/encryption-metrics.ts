import { isEtcdError } from '../etcd-client/etcd-error.ts';
import type { EtcdErrorCode } from '../etcd-client/etcd-error.ts';
import { exponentialBounds } from '../metrics/exponential-bounds.ts';
import { hashedLabel } from '../metrics/hashed-label.ts';
import type { HistogramFamily, ValueFamily } from '../metrics/metric-family.ts';
import { MetricRegistry } from '../metrics/metric-registry.ts';

export type TransformationType = 'from_storage' | 'to_storage';

/** Counts what the transformers of one resource do; `seconds` of a failure do not count. */
export interface TransformationRecorder {
  record(
    type: TransformationType,
    prefix: string,
    outcome: { readonly seconds: number; readonly error?: unknown },
  ): void;
}

/** Key ids come from outside and are many over time: only the latest are shown, as upstream. */
const maxKeyIDs = 100;

/**
 * The reference's metrics of encryption at rest (storage/value, envelope and encryptionconfig, 1.36) in one registry.
 * Those without labels are shown whether or not anything is encrypted.
 */
export class EncryptionMetrics {
  readonly #serverHash: string;
  readonly #operations: ValueFamily;
  readonly #latencies: HistogramFamily;
  readonly #cacheMisses: ValueFamily;
  readonly #keyCache: ValueFamily;
  readonly #keyGenerations: HistogramFamily;
  readonly #keyFailures: ValueFamily;
  readonly #kmsLatencies: HistogramFamily;
  readonly #keyUses: ValueFamily;
  readonly #keyUsedAt: ValueFamily;
  readonly #keySeenAt: ValueFamily;
  readonly #invalidKeys: ValueFamily;
  readonly #cachedKeys: ValueFamily;
  readonly #reloads: ValueFamily;
  readonly #reloadedAt: ValueFamily;
  readonly #configurationInfo: ValueFamily;
  readonly #usedKeys = new Map<string, readonly string[]>();
  readonly #seenKeys = new Map<string, readonly string[]>();
  #configurationHash: string | undefined;

  /** @param apiServerID identity of this server, '' = none */
  constructor(registry: MetricRegistry = new MetricRegistry(), apiServerID = '') {
    this.#serverHash = hashedLabel(apiServerID);
    const storage = 'apiserver_storage';
    const envelope = 'apiserver_envelope_encryption';
    const controller = 'apiserver_encryption_config_controller';
    const keyLabels = ['transformation_type', 'provider_name', 'key_id_hash', 'apiserver_id_hash'];
    this.#operations = registry.counter(
      `${storage}_transformation_operations_total`,
      "[ALPHA] Total number of transformations. Successful transformation will have a status 'OK' and a " +
        'varied status string when the transformation fails.',
      ['resource', 'transformation_type', 'transformer_prefix', 'status'],
    );
    this.#latencies = registry.histogram(
      `${storage}_transformation_duration_seconds`,
      '[ALPHA] Latencies in seconds of value transformation operations.',
      { labelNames: ['transformation_type', 'transformer_prefix'], bounds: exponentialBounds(5e-6, 2, 25) },
    );
    this.#cacheMisses = registry.counter(
      `${storage}_envelope_transformation_cache_misses_total`,
      '[ALPHA] Total number of cache misses while accessing key decryption key(KEK).',
      [],
    );
    this.#keyGenerations = registry.histogram(
      `${storage}_data_key_generation_duration_seconds`,
      '[ALPHA] Latencies in seconds of data encryption key(DEK) generation operations.',
      { labelNames: [], bounds: exponentialBounds(5e-6, 2, 14) },
    );
    this.#keyFailures = registry.counter(
      `${storage}_data_key_generation_failures_total`,
      '[ALPHA] Total number of failed data encryption key(DEK) generation operations.',
      [],
    );
    this.#keyCache = registry.gauge(
      `${envelope}_dek_cache_fill_percent`,
      '[ALPHA] Percent of the cache slots currently occupied by cached DEKs.',
      [],
    );
    this.#kmsLatencies = registry.histogram(
      `${envelope}_kms_operations_latency_seconds`,
      '[ALPHA] KMS operation duration with gRPC error code status total.',
      { labelNames: ['provider_name', 'method_name', 'grpc_status_code'], bounds: exponentialBounds(0.0001, 2, 20) },
    );
    this.#keyUses = registry.counter(
      `${envelope}_key_id_hash_total`,
      '[ALPHA] Number of times a keyID is used split by transformation type, provider, and apiserver identity.',
      keyLabels,
    );
    this.#keyUsedAt = registry.gauge(
      `${envelope}_key_id_hash_last_timestamp_seconds`,
      '[ALPHA] The last time in seconds when a keyID was used.',
      keyLabels,
    );
    this.#keySeenAt = registry.gauge(
      `${envelope}_key_id_hash_status_last_timestamp_seconds`,
      '[ALPHA] The last time in seconds when a keyID was returned by the Status RPC call.',
      ['provider_name', 'key_id_hash', 'apiserver_id_hash'],
    );
    this.#invalidKeys = registry.counter(
      `${envelope}_invalid_key_id_from_status_total`,
      '[ALPHA] Number of times an invalid keyID is returned by the Status RPC call split by error.',
      ['provider_name', 'error'],
    );
    this.#cachedKeys = registry.gauge(
      `${envelope}_dek_source_cache_size`,
      '[ALPHA] Number of records in data encryption key (DEK) source cache. On a restart, this value is an ' +
        'approximation of the number of decrypt RPC calls the server will make to the KMS plugin.',
      ['provider_name'],
    );
    this.#reloads = registry.counter(
      `${controller}_automatic_reloads_total`,
      '[ALPHA] Total number of reload successes and failures of encryption configuration split by apiserver identity.',
      ['status', 'apiserver_id_hash'],
    );
    this.#reloadedAt = registry.gauge(
      `${controller}_automatic_reload_last_timestamp_seconds`,
      '[ALPHA] Timestamp of the last successful or failed automatic reload of encryption configuration split ' +
        'by apiserver identity.',
      ['status', 'apiserver_id_hash'],
    );
    this.#configurationInfo = registry.gauge(
      `${controller}_last_config_info`,
      '[ALPHA] Information about the last applied encryption configuration with hash as label, split by ' +
        'apiserver identity.',
      ['apiserver_id_hash', 'hash'],
    );
  }

  /** @param resource `secrets`, `deployments.apps` */
  transformations(resource: string): TransformationRecorder {
    return {
      record: (type, prefix, { error, seconds }) => {
        this.#operations.cell(resource, type, prefix, statusOf(error)).inc();
        if (error === undefined) this.#latencies.cell(type, prefix).observe(seconds);
      },
    };
  }

  /** A key had to be decrypted by the plugin. */
  cacheMiss(): void {
    this.#cacheMisses.cell().inc();
  }
  /** How much of what a KMS v1 provider may keep of keys it keeps, in [0, 1]. */
  keyCacheFilled(part: number): void {
    this.#keyCache.cell().set(part);
  }
  keyGenerated(seconds: number): void {
    this.#keyGenerations.cell().observe(seconds);
  }
  keyGenerationFailed(): void {
    this.#keyFailures.cell().inc();
  }
  cachedKeys(provider: string, count: number): void {
    this.#cachedKeys.cell(provider).set(count);
  }
  invalidKeyID(provider: string, error: 'empty' | 'too_long'): void {
    this.#invalidKeys.cell(provider, error).inc();
  }

  /** One call of the plugin; `method` is the gRPC path. */
  kmsOperation(
    provider: string,
    method: string,
    outcome: { readonly seconds: number; readonly error?: unknown },
  ): void {
    this.#kmsLatencies.cell(provider, method, statusOf(outcome.error)).observe(outcome.seconds);
  }

  keyUsed(type: TransformationType, provider: string, keyID: string): void {
    const labels = [type, provider, hashedLabel(keyID), this.#serverHash];
    const forgotten = remember(this.#usedKeys, labels);
    if (forgotten !== undefined) {
      this.#keyUses.delete(...forgotten);
      this.#keyUsedAt.delete(...forgotten);
    }
    this.#keyUses.cell(...labels).inc();
    this.#keyUsedAt.cell(...labels).set(nowSeconds());
  }

  /** The plugin's status named this key. */
  keySeen(provider: string, keyID: string): void {
    const labels = [provider, hashedLabel(keyID), this.#serverHash];
    const forgotten = remember(this.#seenKeys, labels);
    if (forgotten !== undefined) this.#keySeenAt.delete(...forgotten);
    this.#keySeenAt.cell(...labels).set(nowSeconds());
  }

  /** @param hash SHA-256 of the file that is in use, hexadecimal */
  configured(hash: string): void {
    if (this.#configurationHash !== undefined)
      this.#configurationInfo.delete(this.#serverHash, this.#configurationHash);
    this.#configurationHash = `sha256:${hash}`;
    this.#configurationInfo.cell(this.#serverHash, this.#configurationHash).set(1);
  }

  reloaded(status: 'success' | 'failure'): void {
    this.#reloads.cell(status, this.#serverHash).inc();
    this.#reloadedAt.cell(status, this.#serverHash).set(nowSeconds());
  }
}

/** Puts labels last in the order of use; the ones that fell out. */
function remember(known: Map<string, readonly string[]>, labels: readonly string[]): readonly string[] | undefined {
  const key = labels.join('\0');
  known.delete(key);
  known.set(key, labels);
  if (known.size <= maxKeyIDs) return undefined;
  const [oldest] = known;
  if (oldest === undefined) return undefined;
  known.delete(oldest[0]);
  return oldest[1];
}

function nowSeconds(): number {
  return Date.now() / 1000;
}

const grpcNames: Readonly<Record<EtcdErrorCode, string>> = {
  Compacted: 'OutOfRange',
  FutureRevision: 'OutOfRange',
  LeaseNotFound: 'NotFound',
  NoSpace: 'ResourceExhausted',
  RequestTooLarge: 'InvalidArgument',
  ResponseTooLarge: 'ResourceExhausted',
  Unavailable: 'Unavailable',
  DeadlineExceeded: 'DeadlineExceeded',
  Cancelled: 'Canceled',
  PermissionDenied: 'PermissionDenied',
  InvalidArgument: 'InvalidArgument',
  Internal: 'Unknown',
};

/** The gRPC code that an error comes from. */
function statusOf(error: unknown): string {
  if (error === undefined) return 'OK';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (isEtcdError(cause)) return grpcNames[cause.code];
  return 'unknown-non-grpc';
}
