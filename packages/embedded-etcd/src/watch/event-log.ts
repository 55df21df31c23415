import type { StoreEvent } from '../mvcc/key-record.ts';

/** Enough for every watcher that is a few seconds behind; the rest reads the file. */
const MAX_EVENTS = 4096;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The newest committed events in memory, for watchers a little behind.
 *
 * ```
 *   first revision covered →  [ e e e e e e e e ]  ← newest
 * ```
 * When it holds 4,096 events or 8 MiB the older half goes; whole revisions only.
 */
export class EventLog {
  #events: StoreEvent[] = [];
  #bytes = 0;
  /** Every event from this revision on is here. */
  #firstRevision: number;

  constructor(firstRevision: number) {
    this.#firstRevision = firstRevision;
  }

  /** Whether all events from `revision` on are here. */
  covers(revision: number): boolean {
    return revision >= this.#firstRevision;
  }

  /** Adds committed events in order. */
  append(events: readonly StoreEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#bytes += eventBytes(event);
    }
    if (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) this.#trim();
  }

  /** Forgets everything; covers what comes from `firstRevision` on. */
  reset(firstRevision: number): void {
    this.#events = [];
    this.#bytes = 0;
    this.#firstRevision = firstRevision;
  }

  /** The events from `revision` on, which must be covered. */
  from(revision: number): readonly StoreEvent[] {
    return this.#events.slice(this.#indexOf(revision));
  }

  #indexOf(revision: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (revisionOf(this.#events[middle]) < revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trim(): void {
    let cut = this.#events.length >>> 1;
    let kept = 0;
    for (let index = this.#events.length - 1; index >= cut; index--)
      kept += eventBytes(this.#events[index] as StoreEvent);
    for (; kept > MAX_BYTES / 2 && cut < this.#events.length; cut++)
      kept -= eventBytes(this.#events[cut] as StoreEvent);
    const last = revisionOf(this.#events[cut - 1]);
    while (cut < this.#events.length && revisionOf(this.#events[cut]) === last) cut++;
    this.#events = this.#events.slice(cut);
    this.#firstRevision = last + 1;
    this.#bytes = this.#events.reduce((total, event) => total + eventBytes(event), 0);
  }
}

function eventBytes(event: StoreEvent): number {
  return event.record.key.length + (event.record.value?.length ?? 0) + (event.previous?.value?.length ?? 0) + 200;
}

function revisionOf(event: StoreEvent | undefined): number {
  return event?.record.modRevision ?? 0;
}
