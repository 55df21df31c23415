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
} from '../etcd-client/etcd-client.ts';

/** What a recorded call was. */
export type RecordedMethod =
  | 'range'
  | 'put'
  | 'delete'
  | 'txn'
  | 'compact'
  | 'leaseGrant'
  | 'leaseRevoke'
  | 'leaseTimeToLive'
  | 'status'
  | 'watch'
  | 'requestProgress';

/** One call of etcd. */
export interface RecordedCall {
  readonly method: RecordedMethod;
  /** Key or first key; '' where there is none. */
  readonly key: string;
}

/** Passes everything on to another client and writes down what was called: for tests of what an operation costs. */
export class CallRecorder implements EtcdClient {
  readonly #client: EtcdClient;
  calls: RecordedCall[] = [];

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  /** Forgets the calls so far. */
  reset(): void {
    this.calls = [];
  }

  /** Number of calls, of some methods or of all. */
  count(...methods: readonly RecordedMethod[]): number {
    return methods.length === 0 ? this.calls.length : this.calls.filter((call) => methods.includes(call.method)).length;
  }

  range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse> {
    this.#record('range', request.key);
    return this.#client.range(request, options);
  }

  put(request: PutRequest, options?: CallOptions): Promise<{ readonly revision: number }> {
    this.#record('put', request.key);
    return this.#client.put(request, options);
  }

  delete(
    request: DeleteRequest,
    options?: CallOptions,
  ): Promise<{ readonly revision: number; readonly deleted: number }> {
    this.#record('delete', request.key);
    return this.#client.delete(request, options);
  }

  txn(request: TxnRequest, options?: CallOptions): Promise<TxnResponse> {
    this.#record('txn', request.compare[0]?.key);
    return this.#client.txn(request, options);
  }

  compact(revision: number, options?: CallOptions): Promise<void> {
    this.#record('compact');
    return this.#client.compact(revision, options);
  }

  leaseGrant(ttlSeconds: number, options?: CallOptions): Promise<bigint> {
    this.#record('leaseGrant');
    return this.#client.leaseGrant(ttlSeconds, options);
  }

  leaseRevoke(id: bigint, options?: CallOptions): Promise<void> {
    this.#record('leaseRevoke');
    return this.#client.leaseRevoke(id, options);
  }

  leaseTimeToLive(id: bigint, options?: CallOptions): Promise<number> {
    this.#record('leaseTimeToLive');
    return this.#client.leaseTimeToLive(id, options);
  }

  status(options?: CallOptions): Promise<EtcdStatus> {
    this.#record('status');
    return this.#client.status(options);
  }

  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
    this.#record('watch', request.key);
    const watch = this.#client.watch(request, sink);
    return {
      cancel: () => watch.cancel(),
      requestProgress: () => {
        this.#record('requestProgress', request.key);
        watch.requestProgress();
      },
      pause: () => watch.pause(),
      resume: () => watch.resume(),
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #record(method: RecordedMethod, key = ''): void {
    this.calls.push({ method, key });
  }
}
