import type { ObjectRecord, ResourceCodec } from './interfaces.ts';

/** Reads a record; `read` is told by its identity, and must depend on the record alone. */
export type ReadOnce = <T>(record: ObjectRecord, read: (record: ObjectRecord) => T) => T;

/**
 * Records of values that several stores in one process hold as the same bytes, at the same revisions: decoded once for
 * all of them. Values are told by their identity; all others are decoded as ever.
 */
export class SharedRecords {
  readonly #values: WeakSet<Uint8Array>;
  /** By the name of the reader, for readers see different attributes. */
  readonly #records = new Map<string, WeakMap<Uint8Array, ObjectRecord>>();
  readonly #readings = new Map<unknown, WeakMap<ObjectRecord, unknown>>();
  readonly #shared = new WeakSet<ObjectRecord>();

  constructor(values: Iterable<Uint8Array>) {
    this.#values = new WeakSet(values);
  }

  /** The same codec, for all readers of a name. */
  decoding(codec: ResourceCodec, reader: string): ResourceCodec {
    let records = this.#records.get(reader);
    if (records === undefined) this.#records.set(reader, (records = new WeakMap()));
    const known = records;
    return {
      ...('recordOf' in codec ? { recordOf: (key, written) => codec.recordOf!(key, written) } : {}),
      ...('storesAs' in codec ? { storesAs: (record, value) => codec.storesAs!(record, value) } : {}),
      ...('addedBytes' in codec ? { addedBytes: (record) => codec.addedBytes!(record) } : {}),
      encode: (object) => codec.encode(object),
      decode: (key, value, revision) => {
        if (!this.#values.has(value)) return codec.decode(key, value, revision);
        let record = known.get(value);
        if (record === undefined) {
          known.set(value, (record = codec.decode(key, value, revision)));
          this.#shared.add(record);
        }
        return record;
      },
    };
  }

  /** What `read` makes of a record, which nobody may change: of a shared record made once for all. */
  readonly readOnce: ReadOnce = <T>(record: ObjectRecord, read: (record: ObjectRecord) => T): T => {
    if (!this.#shared.has(record)) return read(record);
    let readings = this.#readings.get(read) as WeakMap<ObjectRecord, T & WeakKey> | undefined;
    if (readings === undefined) this.#readings.set(read, (readings = new WeakMap()));
    const known = readings.get(record);
    if (known !== undefined) return known;
    const made = read(record);
    readings.set(record, made as T & WeakKey);
    return made;
  };
}
