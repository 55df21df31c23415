import type { ObjectRecord, SelectionPredicate } from '../storage/interfaces.ts';
import { StorageError } from '../storage/errors.ts';
import { CacheEvent } from './cache-event.ts';
import { EventWindow } from './event-window.ts';
import type { EventWindowOptions } from './event-window.ts';
import { RecordIndex } from './record-index.ts';
import type { Indexers } from './record-index.ts';
import { RecordTree } from './record-tree.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** An index and the value in it that a selection requires. */
export interface IndexMatch {
  readonly index: RecordIndex;
  readonly value: string;
}

/**
 * Current state, recent history and indexes of one resource, as told by one list and the watch that follows it.
 * Everything here is synchronous: a reader sees the state after some event, never between.
 */
export class WatchCache {
  readonly window: EventWindow;
  readonly #snapshots: SnapshotStore;
  readonly #indexers: Indexers;
  #tree = new RecordTree();
  #indexes: readonly RecordIndex[];
  #bytes = 0;
  #revision = 0;
  #listRevision = 0;
  #progressRevision = 0;

  constructor(indexers: Indexers, window: EventWindowOptions = {}) {
    this.#indexers = indexers;
    this.window = new EventWindow(window);
    this.#snapshots = new SnapshotStore(this.window);
    this.#indexes = this.#newIndexes();
  }

  /** The state contains every change up to here. */
  get revision(): number {
    return this.#revision;
  }
  /** Revision of the list that the current history follows. */
  get listRevision(): number {
    return this.#listRevision;
  }
  get size(): number {
    return this.#tree.size;
  }
  /** Length of all objects' JSON. */
  get bytes(): number {
    return this.#bytes;
  }
  get indexes(): readonly RecordIndex[] {
    return this.#indexes;
  }
  get snapshotCount(): number {
    return this.#snapshots.size;
  }
  /** Lowest revision that exact lists and watches can be served from. */
  get floor(): number {
    return this.window.floor(this.#listRevision);
  }

  /** Starts over with a list. */
  replace(records: readonly ObjectRecord[], revision: number): void {
    this.#tree = RecordTree.fromSorted(records);
    this.#indexes = this.#newIndexes();
    for (const index of this.#indexes) {
      for (const record of records) index.update(undefined, record);
    }
    this.window.reset();
    this.#snapshots.reset();
    this.#bytes = records.reduce((bytes, record) => bytes + record.json.length, 0);
    this.#revision = revision;
    this.#listRevision = revision;
    this.#progressRevision = revision;
  }

  /**
   * Takes one change; events from `keepFrom` on stay in the window whatever its size.
   *
   * @throws StorageError `Internal` when the change is older than what is known: the watch has gone back in time and
   *   its state cannot be trusted any more.
   */
  apply(record: ObjectRecord, deleted: boolean, options: { readonly nowMs: number; readonly keepFrom: number }): void {
    if (record.revision <= this.#progressRevision || record.revision < this.#revision) {
      throw new StorageError(
        'Internal',
        `watch went back in time: event at ${record.revision} after ${this.#revision}`,
        { key: record.key },
      );
    }
    const previous = deleted ? this.#tree.delete(record.key) : this.#tree.set(record);
    for (const index of this.#indexes) index.update(previous, deleted ? undefined : record);
    this.#bytes += (deleted ? 0 : record.json.length) - (previous?.json.length ?? 0);
    this.#revision = record.revision;
    const evicted = this.window.append(
      new CacheEvent(record, { previous, deleted, recordedAtMs: options.nowMs }),
      options.keepFrom,
    );
    if (evicted) this.#snapshots.evictBefore(this.window.start);
  }

  /** The state is complete up to `revision`. @throws StorageError `Internal` when that is a step back. */
  progress(revision: number): void {
    if (revision < this.#revision)
      throw new StorageError('Internal', `watch went back in time: progress at ${revision} after ${this.#revision}`);
    this.#revision = revision;
    this.#progressRevision = revision;
  }

  get(key: string): ObjectRecord | undefined {
    return this.#tree.get(key);
  }

  /** The current state; changes from now on do not show in it. */
  snapshot(): RecordTree {
    return this.#tree.snapshot();
  }

  /** The current state for a read that is over before anything else runs; must not be kept or changed. */
  get tree(): RecordTree {
    return this.#tree;
  }

  /** State at an earlier revision, undefined when the history does not reach back to it. Must not be changed. */
  snapshotAt(revision: number): RecordTree | undefined {
    if (revision < this.floor || revision > this.#revision) return undefined;
    return this.#snapshots.at(revision, this.#tree);
  }

  /** The index, if any, that a selection pins to one value. */
  indexFor(predicate: SelectionPredicate | undefined): IndexMatch | undefined {
    if (predicate === undefined || predicate.empty || this.#indexes.length === 0) return undefined;
    for (const { field, operator, value } of predicate.field.requirements) {
      if (operator !== '=' || value === '') continue;
      const index = this.#indexes.find(({ name }) => name === field);
      if (index !== undefined) return { index, value };
    }
    return undefined;
  }

  #newIndexes(): readonly RecordIndex[] {
    return Object.entries(this.#indexers).map(([name, value]) => new RecordIndex(name, value));
  }
}
