import { KVClient, LeaseClient, MaintenanceClient } from 'etcd3/lib/rpc.js';
import type {
  ICallable,
  ICompare,
  IDeleteRangeRequest,
  IPutRequest,
  IRangeRequest,
  IRequestOp,
} from 'etcd3/lib/rpc.js';
import type {
  Compare,
  DeleteRequest,
  EtcdClient,
  EtcdStatus,
  EtcdWatch,
  EtcdWatchRequest,
  EtcdWatchSink,
  PutRequest,
  RangeRequest,
  RangeResponse,
  TxnOperation,
  TxnRequest,
  TxnResponse,
} from './etcd-client.ts';
import type { EtcdTlsSource, OpenEtcdSocket } from './endpoint-options.ts';
import { EndpointPool } from './endpoint-pool.ts';
import type { PoolCallOptions } from './endpoint-pool.ts';
import { StoreEndpoint } from './store-endpoint.ts';
import { WatchStream } from './watch-stream.ts';

export interface EtcdClientOptions {
  /** `http://host:port`, `https://host:port`, `unix:PATH` or `host:port`; tried in this order. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTlsSource | undefined;
  /** Makes connections to ports. Default: directly. */
  readonly openSocket?: OpenEtcdSocket | undefined;
  /** Bounds each unary call, retries included. Default 30 s. */
  readonly requestTimeoutMs?: number;
  /** Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** How long a call that could not be sent to any endpoint is tried again. Default 1 s. */
  readonly unreachableRetryMs?: number;
  /** Told why a call is made again. */
  readonly onRetry?: ((label: string) => void) | undefined;
  /** Default 30 s, as upstream, and 5 s (upstream: 10 s). */
  readonly keepaliveIntervalMs?: number;
  readonly keepaliveTimeoutMs?: number;
  /** Default 3 s. Upstream has the kernel do this (TCP_USER_TIMEOUT, 10 s), which Node cannot ask for. */
  readonly silenceMs?: number;
}

/** Keys and range ends are UTF-8: prefixes end in "/", so that their successor ("0") is text too. */
function rangeOf(request: RangeRequest): IRangeRequest {
  return {
    key: Buffer.from(request.key),
    ...(request.rangeEnd === undefined ? {} : { range_end: Buffer.from(request.rangeEnd) }),
    limit: request.limit ?? 0,
    revision: request.revision ?? 0,
    keys_only: request.keysOnly ?? false,
    count_only: request.countOnly ?? false,
    serializable: request.serializable ?? false,
  };
}

function putOf(request: PutRequest): IPutRequest {
  const { value } = request;
  return {
    key: Buffer.from(request.key),
    value: Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength),
    ...(request.lease === undefined || request.lease === 0n ? {} : { lease: request.lease.toString() }),
    ...(request.keepLease === true ? { ignore_lease: true } : {}),
  };
}

function deleteOf(request: DeleteRequest): IDeleteRangeRequest {
  return {
    key: Buffer.from(request.key),
    ...(request.rangeEnd === undefined ? {} : { range_end: Buffer.from(request.rangeEnd) }),
    prev_kv: request.prevKv ?? false,
  };
}

function compareOf(compare: Compare): ICompare {
  const key = Buffer.from(compare.key);
  return 'version' in compare
    ? { key, result: 'Equal', target: 'Version', version: compare.version }
    : { key, result: 'Equal', target: 'Mod', mod_revision: compare.modRevision };
}

function operationOf(operation: TxnOperation): IRequestOp {
  switch (operation.kind) {
    case 'range':
      return { request_range: rangeOf(operation.request) };
    case 'put':
      return { request_put: putOf(operation.request) };
    case 'delete':
      return { request_delete_range: deleteOf(operation.request) };
    default:
      return operation satisfies never;
  }
}

/**
 * EtcdClient over the service clients of npm `etcd3`.
 *
 * Only `etcd3/lib/rpc` is loaded: the package's main module parses its .proto files at import (about 250 ms on the
 * machine this was measured on, against 6 ms) and decodes 64-bit integers to strings. Its service clients take any
 * transport with their `exec`; ours (EndpointPool) speaks gRPC with hand-written messages.
 */
class Etcd3Client implements EtcdClient {
  readonly #pool: EndpointPool;
  readonly #kv: KVClient;
  readonly #lease: LeaseClient;
  readonly #maintenance: MaintenanceClient;
  readonly #watches = new Set<EtcdWatch>();

  constructor(pool: EndpointPool) {
    this.#pool = pool;
    // `withConnection` and `markFailed` serve only etcd3's streaming methods, which are not used.
    const transport = pool as unknown as ICallable<unknown>;
    this.#kv = new KVClient(transport);
    this.#lease = new LeaseClient(transport);
    this.#maintenance = new MaintenanceClient(transport);
  }

  range(request: RangeRequest, options?: PoolCallOptions): Promise<RangeResponse> {
    return received(this.#kv.range(rangeOf(request), options));
  }

  put(request: PutRequest, options?: PoolCallOptions): Promise<{ readonly revision: number }> {
    return received(this.#kv.put(putOf(request), options));
  }

  delete(
    request: DeleteRequest,
    options?: PoolCallOptions,
  ): Promise<{ readonly revision: number; readonly deleted: number }> {
    return received(this.#kv.deleteRange(deleteOf(request), options));
  }

  txn(request: TxnRequest, options?: PoolCallOptions): Promise<TxnResponse> {
    return received(
      this.#kv.txn(
        {
          compare: request.compare.map(compareOf),
          success: request.success.map(operationOf),
          failure: request.failure.map(operationOf),
        },
        options,
      ),
    );
  }

  async compact(revision: number, options?: PoolCallOptions): Promise<void> {
    await this.#kv.compact({ revision }, options);
  }

  async leaseGrant(ttlSeconds: number, options?: PoolCallOptions): Promise<bigint> {
    const { id } = await received<{ id: bigint }>(this.#lease.leaseGrant({ TTL: ttlSeconds }, options));
    return id;
  }

  async leaseRevoke(id: bigint, options?: PoolCallOptions): Promise<void> {
    await this.#lease.leaseRevoke({ ID: id.toString() }, options);
  }

  async leaseTimeToLive(id: bigint, options?: PoolCallOptions): Promise<number> {
    const { ttlSeconds } = await received<{ ttlSeconds: number }>(
      this.#lease.leaseTimeToLive({ ID: id.toString() }, options),
    );
    return ttlSeconds;
  }

  status(options?: PoolCallOptions): Promise<EtcdStatus> {
    return received(this.#maintenance.status(options));
  }

  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
    const watch: EtcdWatch = new WatchStream(this.#pool, request, {
      created: (revision) => sink.created(revision),
      events: (events, revision) => sink.events(events, revision),
      progress: (revision) => sink.progress(revision),
      end: (error) => {
        this.#watches.delete(watch);
        sink.end(error);
      },
    });
    this.#watches.add(watch);
    return watch;
  }

  close(): Promise<void> {
    for (const watch of this.#watches) watch.cancel();
    this.#pool.close();
    return Promise.resolve();
  }
}

/**
 * What our transport decoded. etcd3 declares its own response shapes (64-bit integers as strings), which never exist
 * here.
 */
function received<Response>(response: Promise<unknown>): Promise<Response> {
  return response as Promise<Response>;
}

/** Makes a client; connects with the first call. Close it. */
export function createEtcdClient(options: EtcdClientOptions): EtcdClient {
  const endpointOptions = {
    tls: options.tls,
    connectTimeoutMs: options.connectTimeoutMs ?? 5_000,
    keepaliveIntervalMs: options.keepaliveIntervalMs ?? 30_000,
    keepaliveTimeoutMs: options.keepaliveTimeoutMs ?? 5_000,
    silenceMs: options.silenceMs ?? 3_000,
    openSocket: options.openSocket,
  };
  return new Etcd3Client(
    new EndpointPool(
      options.endpoints.map((url) => new StoreEndpoint(url, endpointOptions)),
      {
        requestTimeoutMs: options.requestTimeoutMs ?? 30_000,
        unreachableRetryMs: options.unreachableRetryMs ?? 1_000,
        onRetry: options.onRetry,
      },
    ),
  );
}
