import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { etcdError } from '../errors/etcd-error.ts';
import type { GroupCommit } from './group-commit.ts';
import { History, imageRows } from './history.ts';
import { KeyIndex } from './key-index.ts';
import type { KeyRecord, StoreEvent } from './key-record.ts';
import type { RangeResult } from './past-range.ts';
import type { StoreImage } from './store-image.ts';
import { rangeInPast } from './past-range.ts';
import { ValueCache } from './value-cache.ts';

/** How to read a range. */
export interface RangeOptions {
  /** 0 or less reads the present. */
  readonly revision: number;
  /** 0 reads everything. */
  readonly limit: number;
  /** Answers the count alone. */
  readonly countOnly: boolean;
}

/** Hears of everything that keys and leases must agree on. */
export interface LeaseAttachments {
  /** `key` now hangs on `lease`, no longer on `before` (0: none). */
  moved(key: string, before: number, lease: number): void;
}

/** Hears of commits. */
export interface CommitObserver {
  /** These events, in order, are on disk; `revision` is the store's newest. */
  published(events: readonly StoreEvent[], revision: number): void;
  /** A batch was lost and the store was read from disk again. */
  reloaded(): void;
}

const TOMBSTONE_VALUE = undefined;

/**
 * Multi-version key store: the present in a memory index, the whole history in SQLite.
 *
 * Revisions are etcd's: an empty store is at revision 1 and each transaction that
 * changes something takes the next. Changes are visible to reads at once and on
 * disk after the group commit; who answers clients waits for that.
 */
export class MvccStore {
  readonly history: History;
  readonly index = new KeyIndex();
  readonly #commit: GroupCommit;
  readonly #cache: ValueCache;
  readonly #setMeta: StatementSync;
  readonly #getMeta: StatementSync;
  readonly #image: StoreImage | undefined;
  #revision = 1;
  #nextId = 1;
  #compactRevision = -1;
  /** Changes of the transaction that is running, and whether one is. */
  #changes = 0;
  #uncommitted: StoreEvent[] = [];
  #attachments: LeaseAttachments | undefined;
  #observers: CommitObserver[] = [];

  /** @param image what an empty store begins with */
  constructor(
    database: DatabaseSync,
    commit: GroupCommit,
    { image, valueCacheBytes }: { readonly valueCacheBytes: number; readonly image?: StoreImage | undefined },
  ) {
    this.#commit = commit;
    this.#cache = new ValueCache(valueCacheBytes);
    this.history = new History(database);
    this.#image = image;
    this.#setMeta = database.prepare(
      'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    );
    this.#getMeta = database.prepare('SELECT value FROM meta WHERE name = ?');
    if (image === undefined) this.#load();
    else this.#begin(image);
    commit.listen({ committed: () => this.#published(), rolledBack: () => this.#rolledBack() });
  }

  /** The newest revision, the running transaction's included once it has changed something. */
  get revision(): number {
    return this.#changes > 0 ? this.#revision + 1 : this.#revision;
  }

  /** Reads before this revision are refused; -1 before the first compaction. */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  /** The id the next version takes: the exclusive end of the history. */
  get nextId(): number {
    return this.#nextId;
  }

  /** Sets who keeps the leases' key sets. */
  attachLeases(attachments: LeaseAttachments): void {
    this.#attachments = attachments;
  }

  /** Adds an observer of commits. */
  observe(observer: CommitObserver): void {
    this.#observers.push(observer);
  }

  /** A number kept in the file across restarts. */
  meta(name: string): number | undefined {
    return this.#getMeta.get(name)?.['value'] as number | undefined;
  }

  /** Sets a kept number with the current batch. */
  setMeta(name: string, value: number): void {
    this.write(() => this.#setMeta.run(name, value));
  }

  /** Runs a statement inside the current batch; a failure gives up the whole batch. @throws EtcdError */
  write(statement: () => void): void {
    this.#commit.begin();
    try {
      statement();
    } catch (error) {
      throw this.#commit.abort(error);
    }
  }

  /**
   * Reads `[from, upper)`.
   * @throws EtcdError for a future or compacted revision
   */
  range(from: string, upper: string | undefined, options: RangeOptions): RangeResult {
    const revision = options.revision;
    this.checkRevision(revision);
    if (upper !== undefined && upper <= from) return { records: [], count: 0 };
    if (revision <= 0 || revision === this.revision) {
      if (options.countOnly) return { records: [], count: this.index.count(from, upper) };
      const records = this.index.collect(from, upper, options.limit);
      const full = options.limit === 0 || records.length < options.limit;
      return { records, count: full ? records.length : this.index.count(from, upper) };
    }
    const maxId = this.history.firstId(revision + 1, this.#nextId) - 1;
    return rangeInPast(this.index, this.history, {
      from,
      upper,
      maxId,
      limit: options.limit,
      countOnly: options.countOnly,
    });
  }

  /** Refuses revisions that cannot be read. @throws EtcdError */
  checkRevision(revision: number): void {
    if (revision > this.revision) throw etcdError('futureRevision');
    if (revision > 0 && revision < this.#compactRevision) throw etcdError('compacted');
  }

  /** The value of a version, from memory or disk; `undefined` when compaction has removed it. */
  value(record: KeyRecord): Uint8Array | undefined {
    if (record.value !== undefined || record.version === 0) return record.value;
    const shared = this.#image?.values.get(record.id);
    if (shared !== undefined) return shared;
    const value = this.history.value(record.id);
    if (value !== undefined && this.#cache.hasRoom(value.length) && this.index.get(record.key) === record) {
      record.value = value;
      this.#cache.add(record);
    }
    return value;
  }

  /** Begins a transaction: all changes until `endTxn` share a revision. Transactions do not overlap. */
  beginTxn(): void {
    this.#changes = 0;
  }

  /** Ends the transaction; answers the store's newest revision. */
  endTxn(): number {
    if (this.#changes > 0) this.#revision++;
    this.#changes = 0;
    return this.#revision;
  }

  /** Writes one version of `key` in the running transaction; `value` is copied. @throws EtcdError */
  put(key: string, value: Uint8Array, lease: number): void {
    const modRevision = this.#revision + 1;
    const previous = this.index.get(key);
    const record: KeyRecord = {
      id: this.#nextId,
      key,
      createRevision: previous === undefined ? modRevision : previous.createRevision,
      modRevision,
      version: previous === undefined ? 1 : previous.version + 1,
      lease,
      value: new Uint8Array(value),
    };
    this.#append(record, previous);
    this.index.set(record);
    if (previous !== undefined) this.#cache.forget(previous);
    this.#cache.add(record);
    const before = previous?.lease ?? 0;
    if (before !== lease) this.#attachments?.moved(key, before, lease);
  }

  /** Writes tombstones for the keys of `[from, upper)`; answers what they were. @throws EtcdError */
  delete(from: string, upper: string | undefined): KeyRecord[] {
    if (upper !== undefined && upper <= from) return [];
    const victims = this.index.collect(from, upper);
    for (const previous of victims) {
      const key = previous.key;
      this.#append(
        {
          id: this.#nextId,
          key,
          createRevision: 0,
          modRevision: this.#revision + 1,
          version: 0,
          lease: 0,
          value: TOMBSTONE_VALUE,
        },
        previous,
      );
      this.index.delete(key);
      this.#cache.forget(previous);
      if (previous.lease !== 0) this.#attachments?.moved(key, previous.lease, 0);
    }
    return victims;
  }

  /** Forgets everything before `revision`: reads are refused from now on, the rows go later (see `CompactionJob`). */
  compact(revision: number): void {
    if (revision <= this.#compactRevision) throw etcdError('compacted');
    if (revision > this.#revision) throw etcdError('futureRevision');
    this.setMeta('compact_revision', revision);
    this.#compactRevision = revision;
  }

  /** What the store holds now, for others to begin with; keys that `leaves` names are not in it, nor are leased ones. */
  image(leaves: (key: string) => boolean): StoreImage {
    const records: KeyRecord[] = [];
    const values = new Map<number, Uint8Array>();
    for (const record of this.index) {
      if (record.lease !== 0 || leaves(record.key)) continue;
      const value = Buffer.from(this.value(record) ?? []);
      records.push({ ...record, value });
      values.set(record.id, value);
    }
    return { records, rows: imageRows(records), values, revision: this.#revision, nextId: this.#nextId };
  }

  #append(record: KeyRecord, previous: KeyRecord | undefined): void {
    this.#commit.begin();
    try {
      this.history.insert(record);
    } catch (error) {
      throw this.#commit.abort(error);
    }
    this.#nextId++;
    this.#changes++;
    this.#uncommitted.push({ record, previous, encoded: undefined, encodedWithPrevious: undefined });
  }

  #published(): void {
    const events = this.#uncommitted;
    this.#uncommitted = [];
    for (const observer of this.#observers) observer.published(events, this.#revision);
  }

  /**
   * Records and their values are the image's: no cache counts them, so that none drops a value that others read. In
   * the history are the keys alone, for reads of the past.
   */
  #begin({ nextId, records, revision, rows }: StoreImage): void {
    this.write(() => {
      this.history.insertRows(rows);
    });
    this.#revision = revision;
    this.#nextId = nextId;
    this.index.load(records);
    this.compact(revision);
    // No row is older.
    this.setMeta('compact_cursor', nextId - 1);
  }

  #load(): void {
    const last = this.history.last();
    this.#revision = Math.max(1, last.revision);
    this.#nextId = last.id + 1;
    this.#compactRevision = this.meta('compact_revision') ?? -1;
    this.#changes = 0;
    this.#uncommitted = [];
    this.#cache.clear();
    this.index.load(this.history.current());
  }

  #rolledBack(): void {
    this.#load();
    for (const observer of this.#observers) observer.reloaded();
  }
}
