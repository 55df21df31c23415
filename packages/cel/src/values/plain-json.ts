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
  constructor(raw: Readonly<Record<string, unknown>>) {
    this.#raw = raw;
  }
  get size(): number {
    return Object.keys(this.#raw).length;
  }
  get(key: unknown): unknown {
    return typeof key === 'string' && Object.hasOwn(this.#raw, key) ? fromPlainJSON(this.#raw[key]) : undefined;
  }
  keys(): Iterable<string> {
    return Object.keys(this.#raw);
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
