import type { KeyRecord } from './key-record.ts';

/** Split point: a chunk of 512 keeps both searches and array splices under a microsecond at 100,000 keys. */
const CHUNK_LIMIT = 512;

/**
 * The current version of every key in byte order: what reads of the present use.
 *
 * ```
 *   chunks  [ a … f ] [ g … m ] [ n … z ]     each sorted, at most 512 records
 * ```
 * Costs about 300 bytes a key, its text of 45 characters included; values are not
 * counted, they belong to the value cache.
 */
export class KeyIndex {
  #chunks: KeyRecord[][] = [[]];
  #size = 0;

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Replaces everything with `records`, which must be sorted by key. */
  load(records: readonly KeyRecord[]): void {
    this.#chunks = [];
    for (let start = 0; start < records.length; start += CHUNK_LIMIT / 2) {
      this.#chunks.push(records.slice(start, start + CHUNK_LIMIT / 2));
    }
    if (this.#chunks.length === 0) this.#chunks.push([]);
    this.#size = records.length;
  }

  /** The record of `key`. */
  get(key: string): KeyRecord | undefined {
    const chunk = this.#chunkAt(this.#chunkFor(key));
    const record = chunk[lowerBound(chunk, key)];
    return record !== undefined && record.key === key ? record : undefined;
  }

  /** Inserts or replaces; answers the replaced record. */
  set(record: KeyRecord): KeyRecord | undefined {
    const at = this.#chunkFor(record.key);
    const chunk = this.#chunkAt(at);
    const position = lowerBound(chunk, record.key);
    const existing = chunk[position];
    if (existing !== undefined && existing.key === record.key) {
      chunk[position] = record;
      return existing;
    }
    if (position === chunk.length) chunk.push(record);
    else chunk.splice(position, 0, record);
    this.#size++;
    if (chunk.length > CHUNK_LIMIT) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK_LIMIT / 2));
    return undefined;
  }

  /** Removes `key`; answers the removed record. */
  delete(key: string): KeyRecord | undefined {
    const at = this.#chunkFor(key);
    const chunk = this.#chunkAt(at);
    const position = lowerBound(chunk, key);
    const existing = chunk[position];
    if (existing === undefined || existing.key !== key) return undefined;
    chunk.splice(position, 1);
    this.#size--;
    if (chunk.length === 0 && this.#chunks.length > 1) this.#chunks.splice(at, 1);
    return existing;
  }

  /** Up to `limit` records of `[from, upper)` in key order; 0 is no limit. */
  collect(from: string, upper: string | undefined, limit = 0): KeyRecord[] {
    const found: KeyRecord[] = [];
    let at = this.#chunkFor(from);
    let position = lowerBound(this.#chunkAt(at), from);
    for (; at < this.#chunks.length; at++, position = 0) {
      const chunk = this.#chunkAt(at);
      for (; position < chunk.length; position++) {
        const record = chunk[position] as KeyRecord;
        if (upper !== undefined && record.key >= upper) return found;
        found.push(record);
        if (found.length === limit) return found;
      }
    }
    return found;
  }

  /** How many keys `[from, upper)` holds. */
  count(from: string, upper: string | undefined): number {
    if (upper !== undefined && upper <= from) return 0;
    const firstChunk = this.#chunkFor(from);
    const first = lowerBound(this.#chunkAt(firstChunk), from);
    const lastChunk = upper === undefined ? this.#chunks.length - 1 : this.#chunkFor(upper);
    const last = upper === undefined ? this.#chunkAt(lastChunk).length : lowerBound(this.#chunkAt(lastChunk), upper);
    let total = last - first;
    for (let at = firstChunk; at < lastChunk; at++) total += this.#chunkAt(at).length;
    return total;
  }

  /** Every record in key order. */
  *[Symbol.iterator](): IterableIterator<KeyRecord> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  #chunkAt(at: number): KeyRecord[] {
    return this.#chunks[at] as KeyRecord[];
  }

  /** The last chunk that does not begin after `key`. */
  #chunkFor(key: string): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const first = this.#chunkAt(middle)[0];
      if (first !== undefined && first.key <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lowerBound(chunk: readonly KeyRecord[], key: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunk[middle] as KeyRecord).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
