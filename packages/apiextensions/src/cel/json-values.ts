import type { ValueShape } from './schema-type.ts';
import { parseCelDuration, parseTimestamp } from './time.ts';
import { CelError, EntryMap, ItemList } from './values.ts';
import type { CelList, CelMap } from './values.ts';
import { isPlainObject } from '@kubechain/apimachinery';

/** A JSON value as rules see it. Objects and lists are read lazily. @throws CelError for a text that its format does not allow */
export function fromJSON(value: unknown, shape: ValueShape): unknown {
  if (value === null || value === undefined) return null;
  const { type } = shape;
  switch (type.kind) {
    case 'list': return Array.isArray(value) ? new JSONList(value, shape) : mismatch(value, 'array');
    case 'map': return isPlainObject(value) ? new JSONMap(value, shape.element as ValueShape) : mismatch(value, 'object');
    case 'object': return isPlainObject(value) ? new JSONObject(value, shape) : mismatch(value, 'object');
    case 'dyn': return untyped(value);
    default:
  }
  switch (type.name) {
    case 'int': return typeof value === 'number' || typeof value === 'bigint' ? BigInt(value) : mismatch(value, 'integer');
    case 'double': return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : mismatch(value, 'number');
    case 'bool': return typeof value === 'boolean' ? value : mismatch(value, 'boolean');
    default:
  }
  if (typeof value !== 'string') return mismatch(value, 'string');
  switch (type.name) {
    case 'bytes': return Buffer.from(value, 'base64');
    case 'duration': return parseCelDuration(value);
    case 'timestamp': return parseTimestamp(shape.props.format === 'date' ? `${value}T00:00:00Z` : value.replace(/^(.{10})[t ]/, '$1T').replace(/z$/, 'Z'));
    default: return value;
  }
}

function mismatch(_value: unknown, wanted: string): never {
  throw new CelError(`invalid data, expected a ${wanted}`);
}

/** A value whose type no schema tells. */
function untyped(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return new ItemList(value.map(untyped));
  if (isPlainObject(value)) return new EntryMap(new Map(Object.entries(value).map(([key, entry]) => [key, untyped(entry)])));
  return value;
}

class JSONObject implements CelMap {
  readonly isMap = true;
  readonly #raw: Record<string, unknown>;
  readonly #fields: NonNullable<ValueShape['fields']>;

  constructor(raw: Record<string, unknown>, shape: ValueShape) {
    this.#raw = raw;
    this.#fields = shape.fields as NonNullable<ValueShape['fields']>;
  }

  get size(): number { return [...this.keys()].length; }

  get(key: unknown): unknown {
    const field = this.#fields.get(key as string);
    return field === undefined || !Object.hasOwn(this.#raw, field.name) ? undefined : fromJSON(this.#raw[field.name], field.shape);
  }

  * keys(): Iterable<string> {
    for (const [escaped, { name }] of this.#fields) if (Object.hasOwn(this.#raw, name)) yield escaped;
  }
}

class JSONMap implements CelMap {
  readonly isMap = true;
  readonly #raw: Record<string, unknown>;
  readonly #element: ValueShape;

  constructor(raw: Record<string, unknown>, element: ValueShape) {
    this.#raw = raw;
    this.#element = element;
  }

  get size(): number { return Object.keys(this.#raw).length; }

  get(key: unknown): unknown {
    return typeof key === 'string' && Object.hasOwn(this.#raw, key) ? fromJSON(this.#raw[key], this.#element) : undefined;
  }

  keys(): Iterable<string> { return Object.keys(this.#raw); }
}

class JSONList implements CelList {
  readonly isList = true;
  readonly keyOf: ((item: unknown) => string) | undefined;
  readonly #raw: readonly unknown[];
  readonly #element: ValueShape;

  constructor(raw: readonly unknown[], { props, element }: ValueShape) {
    this.#raw = raw;
    this.#element = element as ValueShape;
    const { 'x-kubernetes-list-type': listType, 'x-kubernetes-list-map-keys': mapKeys = [] } = props;
    if (listType === 'set') this.keyOf = keyText;
    else if (listType === 'map') this.keyOf = (item) => mapKeys.map((key) => keyText((item as CelMap).get(key) ?? null)).join();
  }

  get size(): number { return this.#raw.length; }
  at(index: number): unknown { return fromJSON(this.#raw[index], this.#element); }
}

/** Tells apart the values that keys and items of sets can be. */
function keyText(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('nanos' in value) return `${String(value.nanos)}ns`;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
