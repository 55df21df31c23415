import type { CelList, CelMap } from './values.ts';

/**
 * A JSON value without a schema, as an expression sees it: whole numbers are int. Objects and lists are read lazily.
 */
export function fromPlainJSON(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : value;
    case 'object':
      return value === null
        ? null
        : Array.isArray(value)
          ? new PlainList(value)
          : new PlainMap(value as Readonly<Record<string, unknown>>);
    default:
      return value;
  }
}

class PlainMap implements CelMap {
  readonly isMap = true;
  readonly #raw: Readonly<Record<string, unknown>>;
  #keys: readonly string[] | undefined;
  /** Maps that have been read: each lists its keys once. */
  #maps: Map<string, PlainMap> | undefined;
  constructor(raw: Readonly<Record<string, unknown>>) {
    this.#raw = raw;
  }
  get size(): number {
    return this.keys().length;
  }
  get(key: unknown): unknown {
    if (typeof key !== 'string' || !Object.hasOwn(this.#raw, key)) return undefined;
    const known = this.#maps?.get(key);
    if (known !== undefined) return known;
    const made = fromPlainJSON(this.#raw[key]);
    if (made instanceof PlainMap) (this.#maps ??= new Map()).set(key, made);
    return made;
  }
  keys(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#raw));
  }
}

class PlainList implements CelList {
  readonly isList = true;
  readonly #raw: readonly unknown[];
  constructor(raw: readonly unknown[]) {
    this.#raw = raw;
  }
  get size(): number {
    return this.#raw.length;
  }
  at(index: number): unknown {
    return fromPlainJSON(this.#raw[index]);
  }
}
