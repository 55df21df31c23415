import type { KeyRecord } from './key-record.ts';

/** What a Uint8Array costs beside its bytes, measured on Node 24. */
const VALUE_OVERHEAD_BYTES = 160;

/**
 * Keeps values of current keys in memory up to a byte budget.
 *
 * When the budget is reached the values that came first are dropped from
 * memory (first in, first out: a read does not reorder, so a read costs
 * nothing); the records stay and read their value from disk again.
 */
export class ValueCache {
  readonly #records = new Set<KeyRecord>();
  readonly #budgetBytes: number;
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budgetBytes = budgetBytes;
  }

  /** Bytes held, overhead included. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a value of this length fits without dropping another. */
  hasRoom(length: number): boolean {
    return this.#bytes + length + VALUE_OVERHEAD_BYTES <= this.#budgetBytes;
  }

  /** Remembers a record whose value is in memory. */
  add(record: KeyRecord): void {
    const value = record.value;
    if (value === undefined || this.#records.has(record)) return;
    this.#records.add(record);
    this.#bytes += value.length + VALUE_OVERHEAD_BYTES;
    if (this.#bytes > this.#budgetBytes) this.#shrink();
  }

  /** Stops counting a record that is no longer current; its value is left to the event log. */
  forget(record: KeyRecord): void {
    if (this.#records.delete(record)) this.#bytes -= (record.value?.length ?? 0) + VALUE_OVERHEAD_BYTES;
  }

  /** Drops everything. */
  clear(): void {
    this.#records.clear();
    this.#bytes = 0;
  }

  #shrink(): void {
    for (const record of this.#records) {
      if (this.#bytes <= this.#budgetBytes) return;
      this.forget(record);
      record.value = undefined;
    }
  }
}
