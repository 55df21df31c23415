import type { ObjectAttributes, ObjectRecord } from '../storage/interfaces.ts';

/** Index name → value of an object; an object without a value is not in the index. */
export type Indexers = Readonly<Record<string, (attributes: ObjectAttributes) => string | undefined>>;

/** Current records by the value of one attribute, such as spec.nodeName of pods. */
export class RecordIndex {
  readonly name: string;
  readonly value: (attributes: ObjectAttributes) => string | undefined;
  readonly #byValue = new Map<string, Map<string, ObjectRecord>>();

  constructor(name: string, value: (attributes: ObjectAttributes) => string | undefined) {
    this.name = name;
    this.value = value;
  }

  /** Number of distinct values. */
  get size(): number {
    return this.#byValue.size;
  }

  /** Follows one change of an object; either side may be missing. */
  update(previous: ObjectRecord | undefined, current: ObjectRecord | undefined): void {
    const before = previous === undefined ? undefined : this.value(previous.attributes);
    const after = current === undefined ? undefined : this.value(current.attributes);
    if (before !== undefined && before !== after) {
      const records = this.#byValue.get(before);
      records?.delete(previous!.key);
      if (records?.size === 0) this.#byValue.delete(before);
    }
    if (after !== undefined) {
      let records = this.#byValue.get(after);
      if (records === undefined) this.#byValue.set(after, (records = new Map()));
      records.set(current!.key, current!);
    }
  }

  /** Records with a value and a key that starts with `prefix`, in key order. */
  list(value: string, prefix: string): ObjectRecord[] {
    const result: ObjectRecord[] = [];
    for (const record of this.#byValue.get(value)?.values() ?? []) {
      if (record.key.startsWith(prefix)) result.push(record);
    }
    return result.sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}
