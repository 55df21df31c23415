import type { ObjectRecord } from '@kubechain/shared-storage';

/** Bytes of one of the two halves; what is made of 10,000 pods for tables and protobuf takes both. */
const defaultHalfBytes = 16 * 1024 * 1024;
/** What a view takes besides its bytes: two objects, a Buffer and its place in the map. */
const overheadBytes = 256;

/** One view of a record; a record rarely has more than two. */
interface View {
  readonly owner: object;
  readonly value: unknown;
  readonly bytes: number;
  readonly next: View | undefined;
}

/** A view as it is made; `bytes`: how many there would be less without it. */
export interface MadeView<T> {
  readonly value: T;
  readonly bytes: number;
}

/**
 * What answers make of records again and again: rows of tables, metadata, protobuf. A view is a function of the
 * record, so that it is made when it is first asked for and lives no longer than the record.
 *
 * Bounded: views are made in the new half. When that is full the old half is dropped and the new one takes its place;
 * views that are asked for move to the new one.
 */
export class RecordViews {
  readonly #halfBytes: number;
  #young = new WeakMap<ObjectRecord, View>();
  #old = new WeakMap<ObjectRecord, View>();
  #youngBytes = 0;

  /** `halfBytes`: when the new half is full. Default 16 MiB. */
  constructor({ halfBytes = defaultHalfBytes }: { readonly halfBytes?: number } = {}) {
    this.#halfBytes = halfBytes;
  }

  /** The view of a record that `owner` stands for: whoever names the same owner makes it in the same way. */
  get<T>(record: ObjectRecord, owner: object, make: (record: ObjectRecord) => MadeView<T>): T {
    const kept = find(this.#young.get(record), owner);
    if (kept !== undefined) return kept.value as T;
    const made = (find(this.#old.get(record), owner) as MadeView<T> | undefined) ?? make(record);
    const bytes = made.bytes + overheadBytes;
    if (this.#youngBytes + bytes > this.#halfBytes) {
      this.#old = this.#young;
      this.#young = new WeakMap();
      this.#youngBytes = 0;
    }
    this.#youngBytes += bytes;
    this.#young.set(record, { owner, value: made.value, bytes: made.bytes, next: this.#young.get(record) });
    return made.value;
  }
}

function find(first: View | undefined, owner: object): View | undefined {
  for (let view = first; view !== undefined; view = view.next) if (view.owner === owner) return view;
  return undefined;
}
