import type { MvccStore } from './mvcc-store.ts';

/** Rows looked at in one turn of the event loop: about 5 ms of work, so that requests go on in between. */
const ROWS_PER_TURN = 500;

/**
 * Removes the rows that compaction made unreadable, a few in each turn of the event loop.
 *
 * Every row superseded at the compacted revision is followed by a newer row of its
 * key in the part of the history that the last compaction had not seen yet, so the
 * job walks only that part. Rows of the compacted revision itself stay, tombstones
 * included: a watch may still start there. The position is kept in the data file;
 * a restart goes on from it.
 */
export class CompactionJob {
  readonly #store: MvccStore;
  /** All rows up to here are the only readable version of their key. Kept in the file. */
  #cursor: number;
  /** How far the running pass has come; past the cursor it covers the compacted revision's own rows. */
  #position = 0;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(store: MvccStore) {
    this.#store = store;
    this.#cursor = store.meta('compact_cursor') ?? 0;
    store.observe({ published: () => undefined, reloaded: () => this.#reset() });
  }

  /** Starts or goes on; resolves when no compacted row is left. */
  run(): Promise<void> {
    this.#position = this.#cursor;
    return (this.#running ??= this.#loop());
  }

  /** As `run`, for those who do not wait: rows that a full disk keeps go with the next compaction. */
  runInBackground(): void {
    this.run().catch(() => undefined);
  }

  /** Ends after the current turn; the rest is done after the next start. */
  stop(): void {
    this.#stopped = true;
  }

  async #loop(): Promise<void> {
    try {
      do await new Promise((resolve) => setImmediate(resolve));
      while (!this.#stopped && this.#turn());
    } finally {
      this.#running = undefined;
    }
  }

  /** One turn; answers whether there is more to do. */
  #turn(): boolean {
    const store = this.#store;
    if (store.compactRevision <= 0) return false;
    const firstKept = store.history.firstId(store.compactRevision, store.nextId);
    const end = store.history.firstId(store.compactRevision + 1, store.nextId);
    const rows = store.history.keysFrom(this.#position + 1, ROWS_PER_TURN).filter((row) => row.id < end);
    const last = rows.at(-1);
    if (last === undefined) return false;
    const cursor = Math.max(this.#cursor, Math.min(last.id, firstKept - 1));
    store.write(() => {
      for (const row of rows) {
        store.history.deleteOlder(row.key, row.id);
        if (row.version === 0 && row.id < firstKept) store.history.deleteOne(row.id);
      }
    });
    store.setMeta('compact_cursor', cursor);
    this.#cursor = cursor;
    this.#position = last.id;
    return true;
  }

  #reset(): void {
    this.#cursor = this.#store.meta('compact_cursor') ?? 0;
    this.#position = this.#cursor;
  }
}
