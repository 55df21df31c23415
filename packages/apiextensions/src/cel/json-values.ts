import { equalJSON, isPlainObject } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import { CelError, CelTime, escapeName, parseCelDuration, readTime } from '@kubechain/cel';
import type { CelList, CelMap } from '@kubechain/cel';
import type { ValueShape } from './schema-type.ts';

/**
 * A JSON value as rules see it (apiserver/cel/common UnstructuredToVal, 1.36); a CelError where it does not have the
 * shape. Objects and lists are read lazily.
 */
export function fromJSON(value: unknown, shape: ValueShape): unknown {
  const { type, props } = shape;
  if (value === null || value === undefined)
    return props.nullable === true ? null : new CelError('invalid data, got null for schema with nullable=false');
  switch (type.kind) {
    case 'list':
      return Array.isArray(value)
        ? new JSONList(value, shape)
        : new CelError('invalid data, expected an array for the provided schema with type=array');
    case 'map':
    case 'object':
      if (!isPlainObject(value))
        return new CelError('invalid data, expected a map for the provided schema with type=object');
      return type.kind === 'map' ? new JSONMap(value, shape.element as ValueShape) : new JSONObject(value, shape);
    case 'dyn':
      if (typeof value === 'string') return value;
      return isWhole(value)
        ? BigInt(value)
        : new CelError('invalid data, expected XIntOrString value to be either a string or integer');
    default:
  }
  switch (type.name) {
    case 'int':
      return isWhole(value) ? BigInt(value) : new CelError(`invalid data, expected int, got ${goType(value)}`);
    case 'double':
      return typeof value === 'number' || typeof value === 'bigint'
        ? Number(value)
        : new CelError(`invalid data, expected float, got ${goType(value)}`);
    case 'bool':
      return typeof value === 'boolean' ? value : new CelError(`invalid data, expected bool, got ${goType(value)}`);
    default:
      return typeof value === 'string'
        ? fromText(value, shape)
        : new CelError(`invalid data, expected string, got ${goType(value)}`);
  }
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

/** The name of a JSON value's type in Go. */
function goType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return isWhole(value) ? 'int64' : 'float64';
    default:
      return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}';
  }
}

function fromText(text: string, { type, props }: ValueShape): unknown {
  switch (type.name) {
    case 'bytes':
      return Buffer.from(text, 'base64');
    case 'duration':
      return durationOf(text);
    case 'timestamp': {
      const time = readTime(
        props.format === 'date' ? `${text}T00:00:00Z` : text.replace(/^(.{10})[t ]/, '$1T').replace(/z$/, 'Z'),
      );
      return time ?? new CelError(`Invalid ${props.format ?? ''} formatted string ${text}`);
    }
    default:
      return text;
  }
}

function durationOf(text: string): unknown {
  try {
    return parseCelDuration(text);
  } catch (error) {
    if (error instanceof CelError) return new CelError(`Invalid duration ${text}: ${error.message}`);
    throw error;
  }
}

/** An object with named fields. Its fields without a schema count as entries, though rules cannot read them. */
class JSONObject implements CelMap {
  readonly isMap = true;
  readonly raw: Record<string, unknown>;
  readonly #fields: NonNullable<ValueShape['fields']>;
  #size: number | undefined;
  /** Maps that have been read: each lists its keys once. */
  #maps: Map<string, JSONMap> | undefined;

  constructor(raw: Record<string, unknown>, shape: ValueShape) {
    this.raw = raw;
    this.#fields = shape.fields as NonNullable<ValueShape['fields']>;
  }

  get size(): number {
    return (this.#size ??= Object.keys(this.raw).length);
  }

  /** A field that is null counts as missing. */
  get(key: unknown): unknown {
    if (typeof key !== 'string') return new CelError('no such overload');
    const field = this.#fields.get(key) ?? this.#fields.get(escapeName(key) ?? '');
    if (field === undefined || !Object.hasOwn(this.raw, field.name) || this.raw[field.name] === null) return undefined;
    if (field.shape.type.kind !== 'map') return fromJSON(this.raw[field.name], field.shape);
    const known = this.#maps?.get(field.name);
    if (known !== undefined) return known;
    const made = fromJSON(this.raw[field.name], field.shape);
    if (made instanceof JSONMap) (this.#maps ??= new Map()).set(field.name, made);
    return made;
  }

  /** Fields without a schema are compared as JSON, if both objects have them. */
  sameHidden(other: CelMap): boolean {
    if (!(other instanceof JSONObject)) return true;
    const known = new Set([...this.#fields.values()].map(({ name }) => name));
    return Object.keys(this.raw).every(
      (name) =>
        known.has(name) ||
        !Object.hasOwn(other.raw, name) ||
        equalJSON(this.raw[name] as JSONValue, other.raw[name] as JSONValue),
    );
  }

  *keys(): Iterable<string> {
    for (const [escaped, { name }] of this.#fields) if (Object.hasOwn(this.raw, name)) yield escaped;
  }
}

class JSONMap implements CelMap {
  readonly isMap = true;
  readonly #raw: Record<string, unknown>;
  readonly #element: ValueShape;
  #keys: readonly string[] | undefined;

  constructor(raw: Record<string, unknown>, element: ValueShape) {
    this.#raw = raw;
    this.#element = element;
  }

  get size(): number {
    return this.keys().length;
  }

  get(key: unknown): unknown {
    if (typeof key !== 'string') return new CelError('no such overload');
    return Object.hasOwn(this.#raw, key) ? fromJSON(this.#raw[key], this.#element) : undefined;
  }

  keys(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#raw));
  }
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
    else if (listType === 'map')
      this.keyOf = (item) => mapKeys.map((key) => keyText((item as CelMap).get(key) ?? null)).join();
  }

  get size(): number {
    return this.#raw.length;
  }
  at(index: number): unknown {
    return fromJSON(this.#raw[index], this.#element);
  }
}

/** Tells apart the values that keys and items of sets can be. */
function keyText(value: unknown): string {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (value instanceof CelTime) return `${value.nanos}`;
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
}
