import { setTimeout as sleep } from 'node:timers/promises';
import {
  EtcdError,
  type CallOptions,
  type DeleteRequest,
  type EtcdClient,
  type EtcdStatus,
  type EtcdWatch,
  type EtcdWatchRequest,
  type EtcdWatchSink,
  type PutRequest,
  type RangeRequest,
  type RangeResponse,
  type TxnRequest,
  type TxnResponse,
} from '@kubechain/shared-storage/etcd';
import { FaultyWatch } from './faulty-etcd-watch.ts';
import type { PeerCall, PeerEffect } from './peer-call.ts';
import type { PeerFaults } from './peer-faults.ts';

/** How long a call without a time-out of its own waits for a store that says nothing, ms: as the client's default. */
const longestSilenceMs = 30_000;

/** A client of the store whose calls meet the faults that are set for them. */
export class FaultyEtcdClient implements EtcdClient {
  /** The client that meets none. */
  readonly inner: EtcdClient;
  readonly #faults: PeerFaults;

  constructor(inner: EtcdClient, faults: PeerFaults) {
    this.inner = inner;
    this.#faults = faults;
  }

  range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse> {
    return this.#call(read(request.key), options, () => this.inner.range(request, options));
  }

  put(request: PutRequest, options?: CallOptions): Promise<{ readonly revision: number }> {
    return this.#call(write(request.key), options, () => this.inner.put(request, options));
  }

  delete(
    request: DeleteRequest,
    options?: CallOptions,
  ): Promise<{ readonly revision: number; readonly deleted: number }> {
    return this.#call(write(request.key), options, () => this.inner.delete(request, options));
  }

  txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse> {
    return this.#call(write(keyOf(request)), options, () => this.inner.txn(request, options));
  }

  compact(revision: number, options?: CallOptions): Promise<void> {
    return this.#call(write(''), options, () => this.inner.compact(revision, options));
  }

  leaseGrant(ttlSeconds: number, options?: CallOptions): Promise<bigint> {
    return this.#call(write(''), options, () => this.inner.leaseGrant(ttlSeconds, options));
  }

  leaseRevoke(id: bigint, options?: CallOptions): Promise<void> {
    return this.#call(write(''), options, () => this.inner.leaseRevoke(id, options));
  }

  leaseTimeToLive(id: bigint, options?: CallOptions): Promise<number> {
    return this.#call(read(''), options, () => this.inner.leaseTimeToLive(id, options));
  }

  status(options?: CallOptions): Promise<EtcdStatus> {
    return this.#call(read(''), options, () => this.inner.status(options));
  }

  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
    return new FaultyWatch({ client: this.inner, faults: this.#faults, request, sink });
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  async #call<T>(call: PeerCall, options: CallOptions | undefined, go: () => Promise<T>): Promise<T> {
    const taken = this.#faults.take(call);
    if (taken === undefined) return go();
    const effect = await taken;
    if (effect === undefined) return go();
    return this.#met(effect, options, go);
  }

  async #met<T>(effect: PeerEffect, options: CallOptions = {}, go: () => Promise<T>): Promise<T> {
    const { signal, timeoutMs = longestSilenceMs } = options;
    switch (effect.kind) {
      case 'delay':
        if (effect.milliseconds >= timeoutMs) return unanswered(timeoutMs, signal);
        await wait(effect.milliseconds, signal);
        return go();
      case 'refuse':
        throw new EtcdError('Unavailable', 'connection error: connection refused', { notSent: true });
      case 'silence':
        return unanswered(timeoutMs, signal);
      case 'readOnly':
        throw new EtcdError('NoSpace', 'etcdserver: mvcc: database space exceeded');
      case 'loseAnswer':
        await go();
        throw new EtcdError('Unavailable', 'the connection was lost before the answer');
      // Of HTTP.
      case 'status':
      case 'garble':
        return go();
      default:
        return effect satisfies never;
    }
  }
}

/** The client whose calls meet no fault. */
export function withoutFaults(client: EtcdClient): EtcdClient {
  return client instanceof FaultyEtcdClient ? client.inner : client;
}

async function unanswered(timeoutMs: number, signal: AbortSignal | undefined): Promise<never> {
  await wait(timeoutMs, signal);
  throw new EtcdError('DeadlineExceeded', 'context deadline exceeded');
}

/** @throws EtcdError when the caller has left */
async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
  } catch (error) {
    throw new EtcdError('Cancelled', 'context canceled', { cause: error });
  }
}

function read(key: string): PeerCall {
  return { peer: 'store', name: key, verb: 'read' };
}

function write(key: string): PeerCall {
  return { peer: 'store', name: key, verb: 'write' };
}

/** All operations of the storage's transactions are about one key. */
function keyOf({ compare, success }: TxnRequest): string {
  return compare[0]?.key ?? success[0]?.request.key ?? '';
}
