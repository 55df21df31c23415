import type { KubeObject } from '@kubechain/apimachinery';
import { StorageError } from '../../storage/errors.ts';
import type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectRecord,
  ResourceCodec,
  StorageInterface,
  UpdateFunction,
  Watch,
  WatchEvent,
  WatchOptions,
  WatchSink,
} from '../../storage/interfaces.ts';
import { stoppedBy, type WatchEnd } from '../../storage/watch-end.ts';
import { MemoryEtcd } from '../../testing/memory-etcd.ts';
import { MemoryStorage } from '../../testing/memory-storage.ts';

/** Calls that are counted, and that a fault can meet. */
export type StorageCall =
  | 'create'
  | 'delete'
  | 'get'
  | 'getList'
  | 'watch'
  | 'guaranteedUpdate'
  | 'count'
  | 'currentRevision'
  | 'requestWatchProgress';

/** One watch of the store, between it and its reader. */
class OpenWatch {
  readonly options: WatchOptions;
  readonly #sink: WatchSink;
  ended = false;
  muted = false;
  inner: Watch | undefined;

  constructor(options: WatchOptions, sink: WatchSink) {
    this.options = options;
    this.#sink = sink;
  }

  tell(event: WatchEvent): boolean {
    return this.ended || this.muted || this.#sink.event(event);
  }

  end(reason: WatchEnd): void {
    if (this.ended) return;
    this.ended = true;
    this.inner?.stop();
    if (!this.muted) this.#sink.end(reason);
  }
}

/**
 * The store in memory, with faults on command: for specs of what decorates a store. Progress is told when it is asked
 * for, and events as soon as they happen, unless `holdEvents` is set.
 */
export class FaultyStorage implements StorageInterface {
  readonly calls: Record<StorageCall, number> = {
    create: 0,
    delete: 0,
    get: 0,
    getList: 0,
    watch: 0,
    guaranteedUpdate: 0,
    count: 0,
    currentRevision: 0,
    requestWatchProgress: 0,
  };
  /** Called before an operation; may throw, or return a promise that delays it. */
  fault: ((call: StorageCall) => void | Promise<void>) | undefined;
  /** Writes happen, but watchers hear of them only when `release` is called. */
  holdEvents = false;
  /** Progress requests are lost. */
  ignoreProgress = false;
  /** An old etcd, whose progress notifications are not to be trusted. */
  supportsProgress = true;
  closed = false;
  readonly #etcd = new MemoryEtcd();
  readonly #store: MemoryStorage;
  readonly #watches = new Set<OpenWatch>();
  #held: (() => void)[] = [];
  #compacted = 0;

  constructor(codec: ResourceCodec) {
    this.#store = new MemoryStorage(codec, { etcd: this.#etcd });
  }

  get revision(): number {
    return this.#etcd.revision;
  }
  get watchCount(): number {
    return this.#watches.size;
  }

  // Commands

  /** A write to something else in the same store. */
  bump(): number {
    void this.#etcd.put({ key: '/elsewhere', value: Buffer.alloc(0) });
    return this.revision;
  }

  compact(revision: number): void {
    if (revision <= this.#compacted) return;
    this.#compacted = revision;
    void this.#etcd.compact(revision);
  }

  /** Ends all watches: cleanly, or with an error event first. */
  cutWatches(error?: Error): void {
    for (const watch of this.#watches) {
      if (error !== undefined) watch.tell({ type: 'ERROR', error });
      watch.end(error === undefined ? { kind: 'closed' } : { kind: 'failed', error });
    }
    this.#watches.clear();
  }

  /** The watches of now stay open but say nothing any more. */
  muteWatches(): void {
    for (const watch of this.#watches) watch.muted = true;
    this.#watches.clear();
  }

  /** Delivers what `holdEvents` held back. */
  release(): void {
    this.holdEvents = false;
    for (const deliver of this.#held.splice(0)) deliver();
  }

  /** Forgets what `holdEvents` held back: a store that loses events. */
  loseHeld(): void {
    this.holdEvents = false;
    this.#held = [];
  }

  sendProgress(): void {
    this.#deliver(() => {
      const { revision } = this;
      for (const watch of this.#watches)
        if (watch.options.allowWatchBookmarks === true)
          watch.tell({ type: 'BOOKMARK', revision, initialEventsEnd: false });
    });
  }

  // StorageInterface

  async create(key: string, object: KubeObject): Promise<ObjectRecord> {
    await this.#begin('create');
    return this.#store.create(key, object);
  }

  async delete(key: string, options?: DeleteOptions): Promise<ObjectRecord> {
    await this.#begin('delete');
    return this.#store.delete(key, options);
  }

  async guaranteedUpdate(
    key: string,
    update: UpdateFunction,
    options?: GuaranteedUpdateOptions,
  ): Promise<ObjectRecord> {
    await this.#begin('guaranteedUpdate');
    return this.#store.guaranteedUpdate(key, update, options);
  }

  async get(key: string, options?: GetOptions): Promise<ObjectRecord | undefined> {
    await this.#begin('get');
    return this.#store.get(key, options);
  }

  async getList(key: string, options?: ListOptions): Promise<ListResult> {
    await this.#begin('getList');
    return this.#store.getList(key, options);
  }

  async watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    await this.#begin('watch');
    const watch = new OpenWatch(options, sink);
    // Progress is told by command.
    const inner = await this.#store.watch(
      key,
      { ...options, allowWatchBookmarks: false },
      {
        event: (event) => {
          if (!this.holdEvents) return watch.tell(event);
          this.#held.push(() => watch.tell(event));
          return true;
        },
        end: (reason) => {
          this.#watches.delete(watch);
          watch.end(reason);
        },
      },
    );
    watch.inner = inner;
    this.#watches.add(watch);
    return {
      stop: () => {
        this.#watches.delete(watch);
        watch.end(stoppedBy());
      },
      drained: () => inner.drained(),
    };
  }

  async count(key: string): Promise<number> {
    await this.#begin('count');
    return this.#store.count(key);
  }

  async currentRevision(): Promise<number> {
    const { revision } = this;
    await this.#begin('currentRevision');
    return Math.max(revision, this.revision);
  }

  compactedRevision(): number {
    return this.#compacted;
  }

  supportsWatchProgress(): Promise<boolean> {
    return Promise.resolve(this.supportsProgress);
  }

  async requestWatchProgress(): Promise<void> {
    await this.#begin('requestWatchProgress');
    if (!this.ignoreProgress) this.sendProgress();
  }

  async readinessCheck(): Promise<void> {
    if (this.closed) throw new StorageError('NotReady', 'closed', { retryAfterSeconds: 1 });
    await this.#store.readinessCheck();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cutWatches();
    await this.#store.close();
    await this.#etcd.close();
  }

  async #begin(call: StorageCall): Promise<void> {
    this.calls[call]++;
    await this.fault?.(call);
  }

  #deliver(action: () => void): void {
    if (this.holdEvents) this.#held.push(action);
    else action();
  }
}
