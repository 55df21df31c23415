/**
 * Values of expressions. int is bigint, double is number; string, bool, null and bytes (Uint8Array) are JavaScript's;
 * the rest are classes of this file. An error is a value too, until an expression's result is one.
 */

/** An expression failed while it was evaluated; the text is cel-go's. */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** Whether an evaluation has failed. */
export function isCelError(value: unknown): value is CelError {
  return value instanceof CelError;
}

/** Arguments do not fit any overload. */
export function noSuchOverload(): CelError {
  return new CelError('no such overload');
}

/** uint. */
export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A time, in nanoseconds since 1970; `offset` in minutes is the one that it was written with. */
export class CelTime {
  readonly nanos: bigint;
  readonly offset: number;
  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A length of time, in nanoseconds. */
export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A value or none. */
export class CelOptional {
  static readonly none = new CelOptional(undefined);
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
  get present(): boolean {
    return this.value !== undefined;
  }
}

/** A type as a value. */
export class CelTypeValue {
  readonly typeName: string;
  constructor(typeName: string) {
    this.typeName = typeName;
  }
}

/** A value of a library's type. */
export abstract class CelOpaque {
  abstract readonly typeName: string;
  /** What costs depend on; most values of this kind cost the same. */
  get size(): number {
    return 1;
  }
  /** As messages of failures print it. */
  get text(): string {
    return this.typeName;
  }
  abstract equals(other: CelOpaque): boolean;
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
  /** undefined where there is no such key. */
  get(key: unknown): unknown;
  keys(): Iterable<unknown>;
  /** Whether a key is there, where `get` has an answer for others, too. */
  holds?(key: unknown): boolean;
  /** Whether what no key leads to is equal, where there is such. */
  sameHidden?(other: CelMap): boolean;
}

/** Whether a value is a list of an expression. */
export function isList(value: unknown): value is CelList {
  return typeof value === 'object' && value !== null && 'isList' in value;
}
export function isMap(value: unknown): value is CelMap {
  return typeof value === 'object' && value !== null && 'isMap' in value;
}

/** A list of values that exist. */
export class ItemList implements CelList {
  readonly isList = true;
  readonly items: readonly unknown[];
  readonly keyOf: CelList['keyOf'];
  constructor(items: readonly unknown[], keyOf?: CelList['keyOf']) {
    this.items = items;
    this.keyOf = keyOf;
  }
  get size(): number {
    return this.items.length;
  }
  at(index: number): unknown {
    return this.items[index];
  }
}

/** What a comprehension collects: adding to it does not copy it. Nothing but the comprehension sees it. */
export class GrowingList implements CelList {
  readonly isList = true;
  readonly items: unknown[] = [];
  get size(): number {
    return this.items.length;
  }
  at(index: number): unknown {
    return this.items[index];
  }
}

/** A map of values that exist. */
export class EntryMap implements CelMap {
  readonly isMap = true;
  readonly entries: ReadonlyMap<unknown, readonly [key: unknown, value: unknown]>;
  /** Entries by {@link mapKey}. */
  constructor(entries: ReadonlyMap<unknown, readonly [key: unknown, value: unknown]>) {
    this.entries = entries;
  }

  static of(entries: Iterable<readonly [key: unknown, value: unknown]>): EntryMap {
    const byKey = new Map<unknown, readonly [unknown, unknown]>();
    for (const entry of entries) byKey.set(mapKey(entry[0]), entry);
    return new EntryMap(byKey);
  }

  get size(): number {
    return this.entries.size;
  }
  get(key: unknown): unknown {
    return this.entries.get(mapKey(key))?.[1];
  }
  *keys(): Iterable<unknown> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** What a comprehension collects. */
export class GrowingMap implements CelMap {
  readonly isMap = true;
  readonly entries = new Map<unknown, readonly [key: unknown, value: unknown]>();
  get size(): number {
    return this.entries.size;
  }
  get(key: unknown): unknown {
    return this.entries.get(mapKey(key))?.[1];
  }
  *keys(): Iterable<unknown> {
    for (const [key] of this.entries.values()) yield key;
  }
}

/** Numbers are one key, whatever their type. */
export function mapKey(key: unknown): unknown {
  if (key instanceof CelUint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}

export function itemsOf(list: CelList): readonly unknown[] {
  return list instanceof ItemList || list instanceof GrowingList
    ? list.items
    : Array.from({ length: list.size }, (_, i) => list.at(i));
}

/** The name of a value's type. */
export function typeNameOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'boolean':
      return 'bool';
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

/**
 * How large a value is for costs: characters, bytes, items or entries; 1 for all else (interpreter/runtimecost.go
 * actualSize).
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return codePoints(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (value instanceof Uint8Array) return value.length;
  if (isList(value) || isMap(value)) return value.size;
  if (value instanceof CelOpaque) return value.size;
  return value instanceof CelOptional && value.present ? sizeOf(value.value) : 1;
}

/** The number of characters, as Go's runes, of a text or what is before a place of it. */
export function codePoints(text: string, end = text.length): number {
  let count = end;
  for (let i = 0; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
