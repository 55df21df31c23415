import { compareText, systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';
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
} from '../etcd-client/etcd-client.ts';
import { EtcdEvent, KeyValue } from '../etcd-client/etcd-client.ts';
import { EtcdError } from '../etcd-client/etcd-error.ts';

/** What a key was at one revision, or that it was deleted then. */
interface Version {
  readonly kv: KeyValue;
  readonly deleted: boolean;
}

interface Change {
  readonly revision: number;
  readonly events: readonly EtcdEvent[];
}

interface OpenWatch {
  readonly request: EtcdWatchRequest;
  readonly sink: EtcdWatchSink;
  /** What waits while the reader is full. */
  readonly waiting: (() => void)[];
  /** Changes up to this revision are told; undefined before it has begun, which it does with history. */
  toldRevision: number | undefined;
  paused: boolean;
  ended: boolean;
}

interface Lease {
  readonly keys: Set<string>;
  readonly endsAtMs: number;
  readonly timer: Timer;
}

/** How an etcd in memory differs from others. */
export interface MemoryEtcdOptions {
  /** Larger values are refused, as etcd does. Default: none are. */
  readonly maxBytes?: number;
  /** For leases. Default: the machine's. */
  readonly clock?: TimerClock;
}

/**
 * An etcd in memory: the one double of the store for specs of what stands on storage. All of it is checked by the
 * storage contract (`memory-etcd.spec.ts`), as an `Etcd3Store` over it is a storage like any other.
 *
 * Keeps all history until it is compacted. Events are delivered in the order of revisions, before the write that made
 * them resolves.
 */
export class MemoryEtcd implements EtcdClient {
  readonly #maxBytes: number;
  readonly #clock: TimerClock;
  readonly #versions = new Map<string, Version[]>();
  readonly #history: Change[] = [];
  readonly #watches = new Set<OpenWatch>();
  readonly #leases = new Map<bigint, Lease>();
  readonly #deliveries: (() => void)[] = [];
  #delivering = false;
  #revision = 1;
  #compacted = 0;
  #lastLease = 0n;

  constructor({ clock = systemClock, maxBytes = Infinity }: MemoryEtcdOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#clock = clock;
  }

  get revision(): number {
    return this.#revision;
  }

  // oxlint-disable-next-line typescript/require-await -- what it throws is a rejection
  async range(request: RangeRequest): Promise<RangeResponse> {
    return this.#range(request);
  }

  async put(request: PutRequest): Promise<{ readonly revision: number }> {
    const { revision } = await this.txn({ compare: [], success: [{ kind: 'put', request }], failure: [] });
    return { revision };
  }

  async delete(request: DeleteRequest): Promise<{ readonly revision: number; readonly deleted: number }> {
    const { responses, revision } = await this.txn({
      compare: [],
      success: [{ kind: 'delete', request: { ...request, prevKv: true } }],
      failure: [],
    });
    return { revision, deleted: responses[0]?.length ?? 0 };
  }

  // oxlint-disable-next-line typescript/require-await -- what it throws is a rejection
  async txn({ compare, failure, success }: TxnRequest): Promise<TxnResponse> {
    const succeeded = compare.every((each) => this.#holds(each));
    const operations = succeeded ? success : failure;
    for (const operation of operations) this.#check(operation);
    const revision = this.#revision + 1;
    const events: EtcdEvent[] = [];
    const responses = operations.map((operation) => this.#apply(operation, revision, events));
    this.#commit(revision, events);
    return { revision: this.#revision, succeeded, responses };
  }

  compact(revision: number): Promise<void> {
    if (revision > this.#revision) return Promise.reject(future());
    if (revision < this.#compacted) return Promise.reject(compacted());
    this.#compacted = revision;
    return Promise.resolve();
  }

  leaseGrant(ttlSeconds: number): Promise<bigint> {
    const id = ++this.#lastLease;
    const ttlMs = ttlSeconds * 1000;
    const timer = this.#clock.setTimer(() => void this.leaseRevoke(id), ttlMs);
    this.#leases.set(id, { keys: new Set(), endsAtMs: this.#clock.now() + ttlMs, timer });
    return Promise.resolve(id);
  }

  leaseRevoke(id: bigint): Promise<void> {
    const lease = this.#leases.get(id);
    if (lease === undefined) return Promise.reject(noLease());
    lease.timer.cancel();
    this.#leases.delete(id);
    const revision = this.#revision + 1;
    const events: EtcdEvent[] = [];
    for (const key of lease.keys) this.#apply({ kind: 'delete', request: { key } }, revision, events);
    this.#commit(revision, events);
    return Promise.resolve();
  }

  leaseTimeToLive(id: bigint): Promise<number> {
    const lease = this.#leases.get(id);
    return Promise.resolve(lease === undefined ? -1 : Math.ceil((lease.endsAtMs - this.#clock.now()) / 1000));
  }

  status(): Promise<EtcdStatus> {
    return Promise.resolve({ version: '3.6.0', dbSizeBytes: 0, revision: this.#revision });
  }

  watch(request: EtcdWatchRequest, sink: EtcdWatchSink): EtcdWatch {
    const watch: OpenWatch = { request, sink, waiting: [], toldRevision: undefined, paused: false, ended: false };
    this.#watches.add(watch);
    // The caller has its watch before it hears of it.
    this.#deliveries.push(() => {
      this.#begin(watch);
    });
    queueMicrotask(() => {
      this.#deliver();
    });
    return {
      cancel: () => {
        this.#end(watch, undefined);
      },
      requestProgress: () => {
        const revision = this.#revision;
        this.#deliveries.push(() => {
          this.#tell(watch, () => {
            sink.progress(revision);
          });
        });
        this.#deliver();
      },
      pause: () => {
        watch.paused = true;
      },
      resume: () => {
        watch.paused = false;
        while (!watch.paused && !watch.ended && watch.waiting.length > 0) watch.waiting.shift()?.();
      },
    };
  }

  close(): Promise<void> {
    for (const watch of this.#watches) this.#end(watch, undefined);
    for (const { timer } of this.#leases.values()) timer.cancel();
    return Promise.resolve();
  }

  #range({ countOnly, key, keysOnly, limit = 0, rangeEnd, revision: asked = 0 }: RangeRequest): RangeResponse {
    if (asked > this.#revision) throw future();
    if (asked > 0 && asked < this.#compacted) throw compacted();
    const revision = asked === 0 ? this.#revision : asked;
    const found = this.#keys(key, rangeEnd)
      .map((name) => this.#at(name, revision))
      .filter((kv) => kv !== undefined);
    const kvs = countOnly === true ? [] : limit > 0 ? found.slice(0, limit) : found;
    return {
      revision: this.#revision,
      kvs: kvs.map((kv) => Object.assign(new KeyValue(), kv, keysOnly === true ? { value: Buffer.alloc(0) } : {})),
      more: countOnly !== true && kvs.length < found.length,
      count: found.length,
    };
  }

  #keys(key: string, rangeEnd: string | undefined): string[] {
    if (rangeEnd === undefined) return this.#versions.has(key) ? [key] : [];
    return [...this.#versions.keys()].filter((name) => isWithin(name, key, rangeEnd)).sort(compareText);
  }

  /** The key's state at a revision; undefined when there was none. */
  #at(key: string, revision: number): KeyValue | undefined {
    const version = this.#versions.get(key)?.findLast(({ kv }) => kv.modRevision <= revision);
    return version === undefined || version.deleted ? undefined : version.kv;
  }

  #holds(compare: Compare): boolean {
    const kv = this.#at(compare.key, this.#revision);
    return 'modRevision' in compare
      ? (kv?.modRevision ?? 0) === compare.modRevision
      : (kv?.version ?? 0) === compare.version;
  }

  /** What would fail, before anything is written. */
  #check(operation: TxnOperation): void {
    if (operation.kind !== 'put') return;
    const { lease = 0n, value } = operation.request;
    if (value.length > this.#maxBytes) throw new EtcdError('RequestTooLarge', 'etcdserver: request is too large');
    if (lease !== 0n && !this.#leases.has(lease)) throw noLease();
  }

  #apply(operation: TxnOperation, revision: number, events: EtcdEvent[]): KeyValue[] {
    switch (operation.kind) {
      case 'range':
        return this.#range(operation.request).kvs;
      case 'put': {
        const { keepLease = false, key, lease = 0n, value } = operation.request;
        const previous = this.#at(key, revision);
        const kv = Object.assign(new KeyValue(), {
          key,
          value: Buffer.from(value),
          createRevision: previous?.createRevision ?? revision,
          modRevision: revision,
          version: (previous?.version ?? 0) + 1,
          lease: keepLease ? (previous?.lease ?? 0n) : lease,
        });
        this.#write({ kv, deleted: false }, previous, events);
        return [];
      }
      case 'delete': {
        const { key, prevKv = false, rangeEnd } = operation.request;
        const found = this.#keys(key, rangeEnd)
          .map((name) => this.#at(name, revision))
          .filter((kv) => kv !== undefined);
        for (const previous of found)
          this.#write(
            { kv: Object.assign(new KeyValue(), { key: previous.key, modRevision: revision }), deleted: true },
            previous,
            events,
          );
        return prevKv ? found : [];
      }
      default:
        return operation satisfies never;
    }
  }

  #write(version: Version, previous: KeyValue | undefined, events: EtcdEvent[]): void {
    const { deleted, kv } = version;
    const versions = this.#versions.get(kv.key);
    if (versions === undefined) this.#versions.set(kv.key, [version]);
    else versions.push(version);
    if (previous !== undefined) this.#leases.get(previous.lease)?.keys.delete(kv.key);
    this.#leases.get(kv.lease)?.keys.add(kv.key);
    events.push(Object.assign(new EtcdEvent(), { deleted, kv, previous }));
  }

  #commit(revision: number, events: readonly EtcdEvent[]): void {
    if (events.length === 0) return;
    this.#revision = revision;
    const change = { revision, events };
    this.#history.push(change);
    for (const watch of this.#watches)
      this.#deliveries.push(() => {
        this.#send(watch, change);
      });
    this.#deliver();
  }

  /** One after the other, also when a reader writes while it is told. */
  #deliver(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    for (let next = this.#deliveries.shift(); next !== undefined; next = this.#deliveries.shift()) next();
    this.#delivering = false;
  }

  #begin(watch: OpenWatch): void {
    if (watch.ended) return;
    const { startRevision } = watch.request;
    watch.toldRevision = startRevision === 0 ? this.#revision : startRevision - 1;
    if (startRevision > 0 && startRevision < this.#compacted) {
      watch.sink.created(this.#revision);
      this.#end(watch, compacted());
      return;
    }
    watch.sink.created(this.#revision);
    if (startRevision === 0) return;
    for (const change of this.#history) this.#send(watch, change);
  }

  #send(watch: OpenWatch, { events, revision }: Change): void {
    const { key, prevKv, rangeEnd } = watch.request;
    if (watch.toldRevision === undefined || revision <= watch.toldRevision) return;
    watch.toldRevision = revision;
    const wanted = events
      .filter(({ kv }) => (rangeEnd === undefined ? kv.key === key : isWithin(kv.key, key, rangeEnd)))
      .map((event) =>
        Object.assign(new EtcdEvent(), event, {
          previous:
            prevKv === true && (event.previous?.modRevision ?? 0) >= this.#compacted ? event.previous : undefined,
        }),
      );
    if (wanted.length > 0)
      this.#tell(watch, () => {
        watch.sink.events(wanted, revision);
      });
  }

  #tell(watch: OpenWatch, tell: () => void): void {
    if (watch.ended) return;
    if (watch.paused || watch.waiting.length > 0) watch.waiting.push(tell);
    else tell();
  }

  #end(watch: OpenWatch, error: EtcdError | undefined): void {
    if (watch.ended) return;
    watch.ended = true;
    this.#watches.delete(watch);
    watch.sink.end(error);
  }
}

function isWithin(key: string, from: string, to: string): boolean {
  // etcd's "\0": everything from the first key on.
  return compareText(key, from) >= 0 && (to === '\0' || compareText(key, to) < 0);
}

function compacted(): EtcdError {
  return new EtcdError('Compacted', 'etcdserver: mvcc: required revision has been compacted');
}

function future(): EtcdError {
  return new EtcdError('FutureRevision', 'etcdserver: mvcc: required revision is a future revision');
}

function noLease(): EtcdError {
  return new EtcdError('LeaseNotFound', 'etcdserver: requested lease not found');
}
