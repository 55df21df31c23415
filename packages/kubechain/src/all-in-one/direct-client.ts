import { isEtcdError as isStoreError } from '@kubechain/embedded-etcd';
import type { EmbeddedStore } from '@kubechain/embedded-etcd';
import { EtcdError, errorFromGrpcStatus } from '@kubechain/shared-storage/etcd';
import type {
  CallOptions,
  DeleteRequest,
  EtcdClient,
  EtcdStatus,
  EtcdWatch,
  EtcdWatchRequest,
  EtcdWatchSink,
  PutRequest,
  RangeRequest,
  RangeResponse,
  TxnRequest,
  TxnResponse,
} from '@kubechain/shared-storage/etcd';
import { deleteOf, putOf, rangeOf, toKeyValue, txnOf } from './direct-messages.ts';
import { watchDirectly } from './watch-directly.ts';

/**
 * A client of the store in the same process: calls its operations, without connection and encoding. Nothing lies
 * between that could be late, so that calls need no timeout. Closing it ends its watches; the store is its owner's to
 * close.
 */
export class DirectClient implements EtcdClient {
  readonly #store: EmbeddedStore;
  readonly #watches = new Set<EtcdWatch>();

  constructor(store: EmbeddedStore) {
    this.#store = store;
  }

  async range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse> {
    const { count, header, kvs, more } = await answered(() => this.#store.range(rangeOf(request)), options);
    return { revision: header?.revision ?? 0, kvs: kvs.map(toKeyValue), more, count };
  }

  async put(request: PutRequest, options?: CallOptions): Promise<{ readonly revision: number }> {
    const { header } = await answered(() => this.#store.put(putOf(request)), options);
    return { revision: header?.revision ?? 0 };
  }

  async delete(
    request: DeleteRequest,
    options?: CallOptions,
  ): Promise<{ readonly revision: number; readonly deleted: number }> {
    const { deleted, header } = await answered(() => this.#store.deleteRange(deleteOf(request)), options);
    return { revision: header?.revision ?? 0, deleted };
  }

  async txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse> {
    const { header, responses, succeeded } = await answered(() => this.#store.txn(txnOf(request)), options);
    return {
      revision: header?.revision ?? 0,
      succeeded,
      responses: responses.map(({ responseDeleteRange, responseRange }) =>
        (responseRange?.kvs ?? responseDeleteRange?.prevKvs ?? []).map(toKeyValue),
      ),
    };
  }

  compact(revision: number, options?: CallOptions): Promise<void> {
    return answered(() => this.#store.compact(revision), options);
  }

  async leaseGrant(ttlSeconds: number, options?: CallOptions): Promise<bigint> {
    return BigInt(await answered(() => this.#store.leaseGrant(ttlSeconds), options));
  }

  leaseRevoke(id: bigint, options?: CallOptions): Promise<void> {
    return answered(() => this.#store.leaseRevoke(Number(id)), options);
  }

  leaseTimeToLive(id: bigint, options?: CallOptions): Promise<number> {
    return answered(() => this.#store.leaseTimeToLive(Number(id)), options);
  }

  status(options?: CallOptions): Promise<EtcdStatus> {
    return answered(() => this.#store.status(), options);
  }

  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
    const watch = watchDirectly(this.#store, request, {
      created: (revision) => {
        sink.created(revision);
      },
      events: (events, revision) => {
        sink.events(events, revision);
      },
      progress: (revision) => {
        sink.progress(revision);
      },
      end: (error) => {
        this.#watches.delete(watch);
        sink.end(error);
      },
    });
    this.#watches.add(watch);
    return watch;
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.cancel();
  }
}

/** The store's errors as those of every client. */
async function answered<T>(call: () => Promise<T>, options: CallOptions | undefined): Promise<T> {
  if (options?.signal?.aborted === true) throw new EtcdError('Cancelled', 'the call was cancelled', { notSent: true });
  try {
    return await call();
  } catch (error) {
    throw isStoreError(error) ? errorFromGrpcStatus(error.code, error.message) : error;
  }
}
