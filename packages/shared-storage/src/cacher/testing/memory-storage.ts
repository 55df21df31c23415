import type { KubeObject } from '@kubechain/apimachinery';
import { decodeContinue, encodeContinue } from '../../storage/continue-token.ts';
import { StorageError, keyError } from '../../storage/errors.ts';
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
  WatchOptions,
  WatchSink,
} from '../../storage/interfaces.ts';
import { stoppedBy, type WatchEnd } from '../../storage/watch-end.ts';
import { checkPreconditions } from '../../storage/preconditions.ts';
import { parseResourceVersion } from '../../storage/resource-version.ts';

interface Change {
  readonly revision: number;
  readonly key: string;
  readonly value: Uint8Array | undefined;
  readonly previous: { readonly value: Uint8Array; readonly revision: number } | undefined;
}
interface Stored {
  readonly value: Uint8Array;
  readonly revision: number;
}
interface OpenWatch {
  readonly key: string;
  readonly options: WatchOptions;
  readonly sink: WatchSink;
  ended: boolean;
  toldRevision: number;
}

/** Calls counted by MemoryStorage. */
export type MemoryStorageCall =
  | 'create'
  | 'delete'
  | 'get'
  | 'getList'
  | 'watch'
  | 'guaranteedUpdate'
  | 'count'
  | 'currentRevision'
  | 'requestWatchProgress';

/**
 * A complete store in memory for specs of what decorates a store: exact revisions, all history until it is compacted,
 * and faults on command. Events are delivered synchronously within the write unless `holdEvents` is set.
 */
export class MemoryStorage implements StorageInterface {
  readonly calls: Record<MemoryStorageCall, number> = {
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
  fault: ((call: MemoryStorageCall) => void | Promise<void>) | undefined;
  /** Writes happen, but watchers hear of them only when `release` is called. */
  holdEvents = false;
  /** Progress requests are lost. */
  ignoreProgress = false;
  /** An old etcd, whose progress notifications are not to be trusted. */
  supportsProgress = true;
  closed = false;
  readonly #codec: ResourceCodec;
  readonly #data = new Map<string, Stored>();
  readonly #history: Change[] = [];
  readonly #watches = new Set<OpenWatch>();
  #held: (() => void)[] = [];
  #revision = 1;
  #compacted = 0;

  constructor(codec: ResourceCodec) {
    this.#codec = codec;
  }

  get revision(): number {
    return this.#revision;
  }
  get watchCount(): number {
    return this.#watches.size;
  }

  // Commands

  /** A write to something else in the same store. */
  bump(): number {
    return ++this.#revision;
  }

  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
  }

  /** Ends all watches: cleanly, or with an error event first. */
  cutWatches(error?: Error): void {
    for (const watch of this.#watches) {
      if (error !== undefined) watch.sink.event({ type: 'ERROR', error });
      this.#endWatch(watch, error === undefined ? { kind: 'closed' } : { kind: 'failed', error });
    }
  }

  /** The watches of now stay open but say nothing any more. */
  muteWatches(): void {
    for (const watch of this.#watches) this.#watches.delete(watch);
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
      const revision = this.#revision;
      for (const watch of this.#watches) {
        if (watch.options.allowWatchBookmarks === true)
          watch.sink.event({ type: 'BOOKMARK', revision, initialEventsEnd: false });
      }
    });
  }

  // StorageInterface

  async create(key: string, object: KubeObject): Promise<ObjectRecord> {
    await this.#begin('create');
    if (this.#data.has(key)) throw keyError('KeyExists', key);
    return this.#write(key, this.#codec.encode(object));
  }

  async delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    await this.#begin('delete');
    const stored = this.#data.get(key);
    if (stored === undefined) throw keyError('KeyNotFound', key);
    const record = this.#codec.decode(key, stored.value, stored.revision);
    const violated = checkPreconditions(key, record, options.preconditions);
    if (violated !== undefined) throw violated;
    await options.validate?.(record);
    this.#data.delete(key);
    const revision = ++this.#revision;
    this.#record({ revision, key, value: undefined, previous: stored });
    return this.#codec.decode(key, stored.value, revision);
  }

  async guaranteedUpdate(
    key: string,
    update: UpdateFunction,
    options: GuaranteedUpdateOptions = {},
  ): Promise<ObjectRecord> {
    await this.#begin('guaranteedUpdate');
    for (;;) {
      const stored = this.#data.get(key);
      if (stored === undefined && options.ignoreNotFound !== true) throw keyError('KeyNotFound', key);
      const record = stored === undefined ? undefined : this.#codec.decode(key, stored.value, stored.revision);
      const violated = checkPreconditions(key, record, options.preconditions);
      if (violated !== undefined) throw violated;
      const { object } = await update({ object: record?.object(), record });
      if (this.#data.get(key) !== stored) continue;
      const value = this.#codec.encode(object);
      if (record !== undefined && stored !== undefined && Buffer.compare(value, stored.value) === 0) return record;
      return this.#write(key, value);
    }
  }

  async get(key: string, options: GetOptions = {}): Promise<ObjectRecord | undefined> {
    await this.#begin('get');
    this.#checkNotTooLarge(options.resourceVersion);
    const stored = this.#data.get(key);
    if (stored !== undefined) return this.#codec.decode(key, stored.value, stored.revision);
    if (options.ignoreNotFound === true) return undefined;
    throw keyError('KeyNotFound', key);
  }

  async getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    await this.#begin('getList');
    const { limit = 0, predicate, resourceVersion = '', resourceVersionMatch = '', recursive = true } = options;
    const prefix = recursive && !key.endsWith('/') ? `${key}/` : key;
    let from = prefix;
    let revision = this.#revision;
    if (options.continue !== undefined && options.continue !== '') {
      const position = decodeContinue(options.continue, prefix);
      from = position.startKey;
      if (position.revision > 0) revision = position.revision;
    } else if (
      resourceVersionMatch === 'Exact' ||
      (resourceVersionMatch === '' && limit > 0 && parseResourceVersion(resourceVersion) > 0)
    ) {
      revision = parseResourceVersion(resourceVersion);
    }
    this.#checkNotTooLarge(String(Math.max(revision, parseResourceVersion(resourceVersion))));
    if (revision < this.#compacted)
      throw new StorageError('ResourceExpired', 'The provided continue parameter is too old', { key });
    const items: ObjectRecord[] = [];
    const keys = [...this.#at(revision)]
      .filter(([candidate]) => (recursive ? candidate.startsWith(prefix) && candidate >= from : candidate === key))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [index, [candidate, stored]] of keys.entries()) {
      const record = this.#codec.decode(candidate, stored.value, stored.revision);
      if (predicate !== undefined && !predicate.empty && !predicate.matches(record.attributes)) continue;
      items.push(record);
      const rest = keys.length - index - 1;
      if (items.length !== limit || rest === 0) continue;
      const next = { items, resourceVersion: String(revision), continue: encodeContinue(candidate, prefix, revision) };
      return (predicate?.empty ?? true) ? { ...next, remainingItemCount: rest } : next;
    }
    return { items, resourceVersion: String(revision), continue: '' };
  }

  async watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    await this.#begin('watch');
    const from = parseResourceVersion(options.resourceVersion ?? '');
    if (from < this.#compacted)
      throw new StorageError('ResourceExpired', `too old resource version: ${from} (${this.#compacted})`, { key });
    const watch: OpenWatch = { key, options, sink, ended: false, toldRevision: from };
    const missed = this.#history.filter((change) => change.revision > from);
    this.#watches.add(watch);
    for (const change of missed) this.#tell(watch, change);
    return { stop: () => this.#endWatch(watch, stoppedBy()), drained: () => undefined };
  }

  async count(key: string): Promise<number> {
    await this.#begin('count');
    return [...this.#data.keys()].filter((candidate) => candidate.startsWith(key)).length;
  }

  async currentRevision(): Promise<number> {
    const revision = this.#revision;
    await this.#begin('currentRevision');
    return Math.max(revision, this.#revision);
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
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cutWatches();
  }

  async #begin(call: MemoryStorageCall): Promise<void> {
    this.calls[call]++;
    await this.fault?.(call);
  }

  #write(key: string, value: Uint8Array): ObjectRecord {
    const previous = this.#data.get(key);
    const revision = ++this.#revision;
    this.#data.set(key, { value, revision });
    this.#record({ revision, key, value, previous });
    return this.#codec.decode(key, value, revision);
  }

  #record(change: Change): void {
    this.#history.push(change);
    this.#deliver(() => {
      for (const watch of this.#watches) this.#tell(watch, change);
    });
  }

  #deliver(action: () => void): void {
    if (this.holdEvents) this.#held.push(action);
    else action();
  }

  #tell(watch: OpenWatch, change: Change): void {
    // What was held back may have been replayed to a watch that began meanwhile.
    if (watch.ended || change.revision <= watch.toldRevision) return;
    watch.toldRevision = change.revision;
    if (!change.key.startsWith(watch.key)) return;
    const { key, value, revision, previous } = change;
    const before =
      previous === undefined ? {} : { previous: this.#codec.decode(key, previous.value, previous.revision) };
    if (value === undefined)
      watch.sink.event({ type: 'DELETED', record: this.#codec.decode(key, previous!.value, revision), ...before });
    else
      watch.sink.event({
        type: previous === undefined ? 'ADDED' : 'MODIFIED',
        record: this.#codec.decode(key, value, revision),
        ...before,
      });
  }

  #endWatch(watch: OpenWatch, reason: WatchEnd): void {
    if (watch.ended) return;
    watch.ended = true;
    this.#watches.delete(watch);
    watch.sink.end(reason);
  }

  /** State at a revision, made by undoing what came after it. */
  #at(revision: number): Map<string, Stored> {
    const state = new Map(this.#data);
    for (const change of this.#history.toReversed()) {
      if (change.revision <= revision) break;
      if (change.previous === undefined) state.delete(change.key);
      else state.set(change.key, change.previous);
    }
    return state;
  }

  #checkNotTooLarge(resourceVersion: string | undefined): void {
    const wanted = parseResourceVersion(resourceVersion ?? '');
    if (wanted > this.#revision)
      throw new StorageError(
        'TooLargeResourceVersion',
        `Too large resource version: ${wanted}, current: ${this.#revision}`,
        { retryAfterSeconds: 1 },
      );
  }
}
