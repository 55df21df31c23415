import { inRange } from '../mvcc/key-range.ts';
import type { KeyRecord, StoreEvent } from '../mvcc/key-record.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { EventLog } from './event-log.ts';
import type { Watcher } from './watcher.ts';

/** History rows read in one turn of the event loop, about 2 ms of work. */
const ROWS_PER_TURN = 1000;

/** A stretch of the past: whole revisions, and where the next stretch begins. */
export interface Stretch {
  readonly events: readonly StoreEvent[];
  readonly nextRevision: number;
}

/** Reads a watcher's next missed events up to revision `newest`, from memory when they are there. */
export function missedEvents(
  store: MvccStore,
  log: EventLog,
  options: { readonly watcher: Watcher; readonly newest: number },
): Stretch {
  const { watcher, newest } = options;
  if (log.covers(watcher.nextRevision)) {
    return { events: log.from(watcher.nextRevision).filter((event) => watcher.wants(event)), nextRevision: newest + 1 };
  }
  const rows = wholeRevisions(store, watcher.nextRevision, newest);
  const events: StoreEvent[] = [];
  for (const record of rows.records) {
    if (!inRange(record.key, watcher.from, watcher.upper)) continue;
    const previous = store.history.previous(record.key, record.id);
    const event: StoreEvent = { record, previous, encoded: undefined, encodedWithPrevious: undefined };
    if (watcher.wants(event)) events.push(event);
  }
  return { events, nextRevision: rows.nextRevision };
}

function wholeRevisions(
  store: MvccStore,
  from: number,
  newest: number,
): { readonly records: KeyRecord[]; readonly nextRevision: number } {
  const first = store.history.firstId(from, store.nextId);
  for (let limit = ROWS_PER_TURN; ; limit *= 4) {
    const rows = store.history.keysFrom(first, limit);
    const last = rows.at(-1);
    const beyond = last !== undefined && last.modRevision > newest;
    if (beyond || rows.length < limit)
      return { records: rows.filter((row) => row.modRevision <= newest), nextRevision: newest + 1 };
    const cut = last?.modRevision ?? newest + 1;
    const records = rows.filter((row) => row.modRevision < cut);
    if (records.length > 0) return { records, nextRevision: cut };
  }
}
