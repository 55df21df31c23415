import { Quantity } from '@kubechain/apimachinery';

/** An expression failed while it was evaluated; the text is cel-go's. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** uint. */
export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) { this.value = value; }
}

/** A time, in nanoseconds since 1970. */
export class CelTime {
  readonly nanos: bigint;
  constructor(nanos: bigint) { this.nanos = nanos; }
}

/** A length of time, in nanoseconds. */
export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) { this.nanos = nanos; }
}

/** A value or none. */
export class CelOptional {
  static readonly none = new CelOptional(undefined);
  readonly value: unknown;
  constructor(value: unknown) { this.value = value; }
  get present(): boolean { return this.value !== undefined; }
}

/** A type as a value. */
export class CelTypeValue {
  readonly typeName: string;
  constructor(typeName: string) { this.typeName = typeName; }
}

/** Values of types from libraries; `key` decides about equality. */
export class CelOpaque {
  readonly typeName: string;
  readonly key: string;
  readonly value: unknown;
  constructor(typeName: string, key: string, value: unknown) {
    this.typeName = typeName;
    this.key = key;
    this.value = value;
  }
}

/** A list. Items are read one by one, so that lists of objects are not converted as wholes. */
export interface CelList {
  readonly isList: true;
  readonly size: number;
  at(index: number): unknown;
  /** `set` and `map` lists: order does not count; the key tells which items belong together. */
  readonly keyOf?: ((item: unknown) => string) | undefined;
}

/** A map, or an object whose fields are its keys. */
export interface CelMap {
  readonly isMap: true;
  readonly size: number;
  get(key: unknown): unknown;
  keys(): Iterable<unknown>;
}

export function isList(value: unknown): value is CelList { return typeof value === 'object' && value !== null && 'isList' in value; }
export function isMap(value: unknown): value is CelMap { return typeof value === 'object' && value !== null && 'isMap' in value; }

/** A list of values that exist. */
export class ItemList implements CelList {
  readonly isList = true;
  readonly items: readonly unknown[];
  constructor(items: readonly unknown[]) { this.items = items; }
  get size(): number { return this.items.length; }
  at(index: number): unknown { return this.items[index]; }
}

/** A map of values that exist. */
export class EntryMap implements CelMap {
  readonly isMap = true;
  readonly #entries: ReadonlyMap<unknown, unknown>;
  constructor(entries: ReadonlyMap<unknown, unknown>) { this.#entries = entries; }
  get size(): number { return this.#entries.size; }
  get(key: unknown): unknown { return this.#entries.get(mapKey(key)); }
  keys(): Iterable<unknown> { return this.#entries.keys(); }
}

/** Numbers are one key, whatever their type. */
export function mapKey(key: unknown): unknown {
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}

export function itemsOf(list: CelList): unknown[] {
  return list instanceof ItemList ? [...list.items] : Array.from({ length: list.size }, (_, i) => list.at(i));
}

/** The name of a value's type. */
export function typeNameOf(value: unknown): string {
  switch (typeof value) {
    case 'string': return 'string';
    case 'bigint': return 'int';
    case 'number': return 'double';
    case 'boolean': return 'bool';
    default:
  }
  if (value === null) return 'null_type';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelTime) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelTypeValue) return 'type';
  if (value instanceof CelOpaque) return value.typeName;
  return isList(value) ? 'list' : 'map';
}

function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
}

/** Equality across types: numbers by value, everything else only within its own type. */
export function equalValues(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const x = numberOf(a), y = numberOf(b);
  // eslint-disable-next-line eqeqeq -- int and double are compared by value.
  if (x !== undefined && y !== undefined) return x == y;
  if (a instanceof CelTime && b instanceof CelTime) return a.nanos === b.nanos;
  if (a instanceof CelDuration && b instanceof CelDuration) return a.nanos === b.nanos;
  if (a instanceof CelOpaque && b instanceof CelOpaque) return a.typeName === b.typeName && equalOpaque(a, b);
  if (a instanceof CelTypeValue && b instanceof CelTypeValue) return a.typeName === b.typeName;
  if (a instanceof CelOptional && b instanceof CelOptional) return a.present === b.present && (!a.present || equalValues(a.value, b.value));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (isList(a) && isList(b)) return equalLists(a, b);
  if (isMap(a) && isMap(b)) {
    if (a.size !== b.size) return false;
    for (const key of a.keys()) {
      const other = b.get(key);
      if (other === undefined || !equalValues(a.get(key), other)) return false;
    }
    return true;
  }
  return false;
}

function equalOpaque(a: CelOpaque, b: CelOpaque): boolean {
  return a.value instanceof Quantity && b.value instanceof Quantity ? a.value.equals(b.value) : a.key === b.key;
}

function equalLists(a: CelList, b: CelList): boolean {
  if (a.size !== b.size) return false;
  const keyOf = a.keyOf ?? b.keyOf;
  if (keyOf === undefined) return itemsOf(a).every((item, i) => equalValues(item, b.at(i)));
  const others = new Map(itemsOf(b).map((item) => [keyOf(item), item]));
  return itemsOf(a).every((item) => equalValues(item, others.get(keyOf(item))));
}

/** -1, 0 or 1; undefined where the values have no order. */
export function compareValues(a: unknown, b: unknown): number | undefined {
  const x = numberOf(a), y = numberOf(b);
  if (x !== undefined && y !== undefined) return x < y ? -1 : x > y ? 1 : x == y ? 0 : undefined; // eslint-disable-line eqeqeq
  if (typeof a === 'string' && typeof b === 'string') return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if ((a instanceof CelTime && b instanceof CelTime) || (a instanceof CelDuration && b instanceof CelDuration)) return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw new CelError('no such overload');
}

const minInt = -(2n ** 63n), maxInt = 2n ** 63n - 1n;

/** An int, or the error that it is none. */
export function checkedInt(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new CelError('integer overflow');
  return value;
}

/** A uint, or the error that it is none. */
export function checkedUint(value: bigint): CelUint {
  if (value < 0n || value >= 2n ** 64n) throw new CelError('unsigned integer overflow');
  return new CelUint(value);
}
