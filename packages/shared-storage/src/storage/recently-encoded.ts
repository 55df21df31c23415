import type { ObjectRecord, ResourceCodec } from './interfaces.ts';

/** A few writes are under way at a time; their bytes are looked for within moments. */
const maxEntries = 64;
/** Of stored bytes, all together: large CRDs have half a megabyte. */
const maxBytes = 4 * 1024 * 1024;

interface Encoded {
  readonly codec: ResourceCodec;
  readonly value: Buffer;
  record: ObjectRecord | undefined;
}

/**
 * Bytes that this process has encoded last, with the record of those that have been stored since: the answer to the
 * write, its watch event and the next update all need the record, whichever of them comes first, and one decode does
 * for all. One for all resources, so that many of them keep no more than one.
 *
 *     oldest ─ falls out beyond 64 entries or 4 MiB ─┐
 *     [encoded] [encoded] [encoded] … [encoded] ◄────┴── add
 */
class RecentlyEncoded {
  readonly #entries: Encoded[] = [];
  #bytes = 0;

  add(codec: ResourceCodec, value: Buffer): void {
    this.#entries.push({ codec, value, record: undefined });
    this.#bytes += value.length;
    while (this.#entries.length > maxEntries || this.#bytes > maxBytes)
      this.#bytes -= this.#entries.shift()?.value.length ?? 0;
  }

  /** The record of stored bytes; made by `decode`, once, if they were encoded here. */
  record(
    codec: ResourceCodec,
    stored: { readonly key: string; readonly value: Buffer; readonly revision: number },
    decode: () => ObjectRecord,
  ): ObjectRecord {
    const entry = this.#entries.findLast(
      (encoded) =>
        encoded.codec === codec && encoded.value.length === stored.value.length && encoded.value.equals(stored.value),
    );
    if (entry === undefined) return decode();
    const { record } = entry;
    return record !== undefined && record.revision === stored.revision && record.key === stored.key
      ? record
      : (entry.record = decode());
  }

  /** The stored bytes that a record was made of. */
  value(record: ObjectRecord): Buffer | undefined {
    return this.#entries.findLast((entry) => entry.record === record)?.value;
  }
}

export const recentlyEncoded = new RecentlyEncoded();
