import { checkPreconditions, stoppedBy, StorageError } from '@kubechain/shared-storage';
import type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectRecord,
  Preconditions,
  ResourceCodec,
  StorageInterface,
  UpdateFunction,
  Watch,
  WatchEvent,
  WatchOptions,
  WatchSink,
} from '@kubechain/shared-storage';
import type { KubeObject } from '@kubechain/apimachinery';

/** Revisions, shared by the storages of one test as etcd shares them. */
export class MemoryRevisions {
  current = 1;
  next(): number {
    return ++this.current;
  }
}

interface Watcher {
  readonly key: string;
  readonly options: WatchOptions;
  readonly sink: WatchSink;
}

/**
 * One resource's objects in a Map: for specs of what stands on storage. Keeps all history, never compacts, pages by
 * key.
 */
export class MemoryStorage implements StorageInterface {
  readonly #codec: ResourceCodec;
  readonly #revisions: MemoryRevisions;
  readonly #records = new Map<string, { readonly value: Uint8Array; readonly record: ObjectRecord }>();
  readonly #history: Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>[] = [];
  readonly #watchers = new Set<Watcher>();

  readonly #maxBytes: number;

  /** `maxBytes`: larger objects are refused, as etcd does. */
  constructor(codec: ResourceCodec, revisions: MemoryRevisions = new MemoryRevisions(), maxBytes = Infinity) {
    this.#codec = codec;
    this.#revisions = revisions;
    this.#maxBytes = maxBytes;
  }

  create(key: string, object: KubeObject): Promise<ObjectRecord> {
    if (this.#records.has(key)) return Promise.reject(new StorageError('KeyExists', 'key exists', { key }));
    try {
      return Promise.resolve(this.#put(key, object, 'ADDED'));
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  async delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    const record = this.#existing(key);
    refuseUnmet(key, record, options.preconditions);
    await options.validate?.(record);
    this.#records.delete(key);
    const deleted = this.#codec.decode(key, this.#codec.encode(record.object()), this.#revisions.next());
    this.#emit({ type: 'DELETED', record: deleted, previous: record });
    return deleted;
  }

  get(key: string, options: GetOptions = {}): Promise<ObjectRecord | undefined> {
    const record = this.#records.get(key)?.record;
    if (record === undefined && options.ignoreNotFound !== true)
      return Promise.reject(new StorageError('KeyNotFound', 'key not found', { key }));
    return Promise.resolve(record);
  }

  getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    const start = options.continue ?? '';
    const all = [...this.#records]
      .filter(([name]) => (options.recursive === false ? name === key : name.startsWith(key)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { record }]) => record)
      .filter((record) => (options.predicate?.matches(record.attributes) ?? true) && record.key > start);
    const limit = options.limit ?? 0;
    const items = limit > 0 ? all.slice(0, limit) : all;
    const more = all.length - items.length;
    return Promise.resolve({
      items,
      resourceVersion: String(this.#revisions.current),
      continue: more > 0 ? (items.at(-1)?.key ?? '') : '',
      ...(more > 0 && options.predicate?.empty !== false ? { remainingItemCount: more } : {}),
    });
  }

  watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    const from = Number(options.resourceVersion ?? '0');
    if (Number.isNaN(from))
      return Promise.reject(
        new StorageError(
          'InvalidResourceVersion',
          `resourceVersion: Invalid value: ${JSON.stringify(options.resourceVersion)}`,
          { key, unparsed: true },
        ),
      );
    if (options.sendInitialEvents === true && from > this.#revisions.current)
      return Promise.reject(
        new StorageError(
          'TooLargeResourceVersion',
          `Too large resource version: ${from}, current: ${this.#revisions.current}`,
          { key, retryAfterSeconds: 1 },
        ),
      );
    const watcher: Watcher = { key, options, sink };
    if (from === 0) for (const { record } of this.#records.values()) deliver(watcher, { type: 'ADDED', record });
    else for (const event of this.#history) if (event.record.revision > from) deliver(watcher, event);
    if (options.sendInitialEvents === true && options.allowWatchBookmarks === true)
      sink.event({ type: 'BOOKMARK', revision: this.#revisions.current, initialEventsEnd: true });
    this.#watchers.add(watcher);
    return Promise.resolve({
      stop: () => {
        if (this.#watchers.delete(watcher)) sink.end(stoppedBy());
      },
      drained: () => undefined,
    });
  }

  async guaranteedUpdate(
    key: string,
    update: UpdateFunction,
    options: GuaranteedUpdateOptions = {},
  ): Promise<ObjectRecord> {
    for (;;) {
      const before = this.#records.get(key);
      if (before === undefined && options.ignoreNotFound !== true)
        throw new StorageError('KeyNotFound', 'key not found', { key });
      if (before !== undefined) refuseUnmet(key, before.record, options.preconditions);
      const { object } = await update({ object: before?.record.object(), record: before?.record });
      if (this.#records.get(key) !== before) continue;
      const value = this.#codec.encode(object);
      if (before !== undefined && Buffer.compare(before.value, value) === 0) return before.record;
      return this.#put(key, object, before === undefined ? 'ADDED' : 'MODIFIED');
    }
  }

  count(key: string): Promise<number> {
    return Promise.resolve([...this.#records.keys()].filter((name) => name.startsWith(key)).length);
  }
  currentRevision(): Promise<number> {
    return Promise.resolve(this.#revisions.current);
  }
  requestWatchProgress(): Promise<void> {
    return Promise.resolve();
  }
  readinessCheck(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    for (const watcher of this.#watchers) watcher.sink.end({ kind: 'closed' });
    this.#watchers.clear();
    return Promise.resolve();
  }

  #existing(key: string): ObjectRecord {
    const entry = this.#records.get(key);
    if (entry === undefined) throw new StorageError('KeyNotFound', 'key not found', { key });
    return entry.record;
  }

  #put(key: string, object: KubeObject, type: 'ADDED' | 'MODIFIED'): ObjectRecord {
    const value = this.#codec.encode(object);
    if (value.length > this.#maxBytes)
      throw new StorageError('RequestTooLarge', 'etcdserver: request is too large', { key });
    const record = this.#codec.decode(key, value, this.#revisions.next());
    const previous = this.#records.get(key)?.record;
    this.#records.set(key, { value, record });
    this.#emit(previous === undefined ? { type, record } : { type, record, previous });
    return record;
  }

  #emit(event: Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>): void {
    this.#history.push(event);
    for (const watcher of this.#watchers) deliver(watcher, event);
  }
}

function deliver(
  { key, options, sink }: Watcher,
  event: Extract<WatchEvent, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>,
): void {
  if (options.recursive === false ? event.record.key !== key : !event.record.key.startsWith(key)) return;
  if (options.predicate?.matches(event.record.attributes) ?? true) sink.event(event);
}

function refuseUnmet(key: string, record: ObjectRecord, preconditions: Preconditions | undefined): void {
  const unmet = checkPreconditions(key, record, preconditions);
  if (unmet !== undefined) throw unmet;
}
