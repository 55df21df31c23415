import type { ObjectRecord } from '../storage/interfaces.ts';
import { RevisedRecord } from '../storage/revised-record.ts';
import { SharedWatchEvent } from './shared-watch-event.ts';

/**
 * One change in the cache's history. What it is to a watcher depends on whether its selection had the object before and
 * has it after; each of the three possible views is made at most once and shared by all watchers.
 */
export class CacheEvent {
  readonly revision: number;
  /** State after the change; for a deletion the last state under the deletion's revision. */
  readonly record: ObjectRecord;
  readonly previous: ObjectRecord | undefined;
  readonly deleted: boolean;
  /** Milliseconds since the epoch. */
  readonly recordedAtMs: number;
  #added: SharedWatchEvent | undefined = undefined;
  #modified: SharedWatchEvent | undefined = undefined;
  #gone: SharedWatchEvent | undefined = undefined;

  constructor(
    record: ObjectRecord,
    change: { readonly previous: ObjectRecord | undefined; readonly deleted: boolean; readonly recordedAtMs: number },
  ) {
    this.revision = record.revision;
    this.record = record;
    this.previous = change.previous;
    this.deleted = change.deleted;
    this.recordedAtMs = change.recordedAtMs;
  }

  get key(): string {
    return this.record.key;
  }

  /** What a watcher sees whose selection has the object after (`current`) or had it before (`before`) the change. */
  view(current: boolean, before: boolean): SharedWatchEvent | undefined {
    if (current) {
      return before
        ? (this.#modified ??= new SharedWatchEvent('MODIFIED', this.record, this.previous))
        : (this.#added ??= new SharedWatchEvent('ADDED', this.record, undefined));
    }
    if (!before) return undefined;
    return (this.#gone ??= new SharedWatchEvent(
      'DELETED',
      this.deleted ? this.record : new RevisedRecord(this.previous!, this.revision),
      this.previous,
    ));
  }
}
