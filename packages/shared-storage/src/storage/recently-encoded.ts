import type { ObjectAttributes, ObjectRecord, ResourceCodec } from './interfaces.ts';

/** A few writes are under way at a time; their bytes are looked for within moments. */
const maxEntries = 64;
/** Of stored bytes, all together: large CRDs have half a megabyte. */
const maxBytes = 4 * 1024 * 1024;

interface Encoded {
  readonly codec: ResourceCodec;
  readonly value: Buffer;
  /** Of the object, where its record can be made of them and the bytes. */
  readonly attributes: ObjectAttributes | undefined;
  record: ObjectRecord | undefined;
}

/** Objects of a kind begin with the same bytes, and differ in their names. */
const likelyDifferent = 128;

/** As Buffer's `equals`, which takes longer to call than most buffers take to differ. */
function areEqual(a: Buffer, b: Buffer): boolean {
  if (a.length !== b.length) return false;
  const end = Math.min(a.length, likelyDifferent);
  for (let i = 0; i < end; i++) if (a[i] !== b[i]) return false;
  return a.equals(b);
}

/**
 * Bytes that this process has encoded last, with the record of those that have been stored since: the answer to the
 * write, its watch event and the next update all need the record, whichever of them comes first, and one decode does
 * for all, or none where the attributes of the object are known. One for all resources, so that many of them keep no
 * more than one.
 *
 *     oldest ─ falls out beyond 64 entries or 4 MiB ─┐
 *     [encoded] [encoded] [encoded] … [encoded] ◄────┴── add
 */
class RecentlyEncoded {
  readonly #entries: Encoded[] = [];
  #bytes = 0;

  add(codec: ResourceCodec, value: Buffer, attributes?: ObjectAttributes): void {
    this.#entries.push({ codec, value, attributes, record: undefined });
    this.#bytes += value.length;
    while (this.#entries.length > maxEntries || this.#bytes > maxBytes)
      this.#bytes -= this.#entries.shift()?.value.length ?? 0;
  }

  /**
   * The record of stored bytes; made by `make`, once, if they were encoded here, of the attributes that were told when
   * they were.
   */
  record(
    codec: ResourceCodec,
    stored: { readonly key: string; readonly value: Buffer; readonly revision: number },
    make: (attributes: ObjectAttributes | undefined) => ObjectRecord,
  ): ObjectRecord {
    const entry = this.#entries.findLast((encoded) => encoded.codec === codec && areEqual(encoded.value, stored.value));
    if (entry === undefined) return make(undefined);
    const { record } = entry;
    return record !== undefined && record.revision === stored.revision && record.key === stored.key
      ? record
      : (entry.record = make(entry.attributes));
  }

  /** The stored bytes that a record was made of. */
  value(record: ObjectRecord): Buffer | undefined {
    return this.#entries.findLast((entry) => entry.record === record)?.value;
  }
}

export const recentlyEncoded = new RecentlyEncoded();
