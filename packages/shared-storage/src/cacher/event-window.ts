import type { CacheEvent } from './cache-event.ts';

/** Sizes and age of the history that the cache keeps; the defaults are upstream's (watch_cache.go, 1.36). */
export interface EventWindowOptions {
  readonly minEvents?: number;
  readonly maxEvents?: number;
  /** Younger events are worth growing for. */
  readonly freshMs?: number;
  readonly onResize?: (from: number, to: number) => void;
}

/*
 * Positions only ever grow; a position names one event for good.
 *
 *      evicted │ start ............................ end │ not yet
 *   ───────────┼────────────────────────────────────────┼────────▶ position
 *              └── slots[position % capacity] ──────────┘
 */

/** The latest events of one resource, oldest first; grows and shrinks with the load. */
export class EventWindow {
  readonly #minEvents: number;
  readonly #maxEvents: number;
  readonly #freshMs: number;
  readonly #onResize: ((from: number, to: number) => void) | undefined;
  #slots: (CacheEvent | undefined)[];
  #start = 0;
  #end = 0;
  /** Revision of the youngest event that fell out since the last reset; 0 when none did. */
  #evictedRevision = 0;

  constructor(options: EventWindowOptions = {}) {
    this.#minEvents = options.minEvents ?? 100;
    this.#maxEvents = options.maxEvents ?? 100 * 1024;
    this.#freshMs = options.freshMs ?? 75_000;
    this.#onResize = options.onResize;
    this.#slots = Array.from({ length: this.#minEvents });
  }

  get capacity(): number {
    return this.#slots.length;
  }
  get start(): number {
    return this.#start;
  }
  get end(): number {
    return this.#end;
  }
  get size(): number {
    return this.#end - this.#start;
  }
  get freshMs(): number {
    return this.#freshMs;
  }

  /** The event at a position in [start, end). */
  at(position: number): CacheEvent {
    return this.#slots[position % this.#slots.length]!;
  }

  /** Adds the youngest event; true when an older one fell out. `keepFrom` and later positions never fall out. */
  append(event: CacheEvent, keepFrom: number): boolean {
    const start = this.#start;
    this.#resize(event.recordedAtMs, keepFrom);
    if (this.size === this.#slots.length) this.#evict();
    this.#slots[this.#end % this.#slots.length] = event;
    this.#end++;
    return this.#start !== start;
  }

  /**
   * The lowest revision that a watch can start after, given the revision of the list that the window follows.
   * Never below what fell out, so that no event is missed.
   */
  floor(listRevision: number): number {
    if (this.#evictedRevision === 0) return listRevision;
    return Math.max(this.#evictedRevision, this.at(this.#start).revision - 1);
  }

  /** Position of the first event after `revision`. */
  positionAfter(revision: number): number {
    let low = this.#start;
    let high = this.#end;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.at(middle).revision > revision) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Forgets all events; positions go on. */
  reset(): void {
    this.#slots = Array.from({ length: this.#minEvents });
    this.#start = this.#end;
    this.#evictedRevision = 0;
  }

  #evict(): void {
    const slot = this.#start % this.#slots.length;
    this.#evictedRevision = this.#slots[slot]!.revision;
    this.#slots[slot] = undefined;
    this.#start++;
  }

  /** Doubles when the oldest event is still fresh, halves when even the youngest quarter is stale. */
  #resize(nowMs: number, keepFrom: number): void {
    const capacity = this.#slots.length;
    if (this.size < capacity) return;
    if (keepFrom <= this.#start) this.#setCapacity(capacity * 2);
    else if (nowMs - this.at(this.#start).recordedAtMs < this.#freshMs)
      this.#setCapacity(Math.max(capacity, Math.min(capacity * 2, this.#maxEvents)));
    else if (
      nowMs - this.at(this.#end - Math.max(1, Math.floor(capacity / 4))).recordedAtMs > this.#freshMs &&
      this.#end - keepFrom < capacity / 2
    )
      this.#setCapacity(Math.max(Math.floor(capacity / 2), this.#minEvents));
  }

  #setCapacity(capacity: number): void {
    const before = this.#slots.length;
    if (capacity === before) return;
    while (this.size > capacity) this.#evict();
    const slots: (CacheEvent | undefined)[] = Array.from({ length: capacity });
    for (let position = this.#start; position < this.#end; position++) slots[position % capacity] = this.at(position);
    this.#slots = slots;
    this.#onResize?.(before, capacity);
  }
}
