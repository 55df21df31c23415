import { limits, manyValues, requestEntityTooLarge } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

export interface DefaultsOptions {
  /** The object comes from the store, not from a request. Default false. */
  readonly stored?: boolean;
}

/**
 * Sets in place the defaults of a CRD schema (apiserver/schema/defaulting, 1.36): absent properties, and nulls that
 * the schema does not allow, in properties, lists and maps. Run {@link pruneNulls} before it.
 * `stored`: more of them, since an object that was stored before somebody wrote large defaults is still read, listed
 * and deleted.
 * @returns the bytes of what was set, as JSON
 * @throws StatusError 413 where that would be more than a body may have: each of thousands of items may get thousands
 * of defaults; for what is stored an Error, where it would be more than a server can work on
 */
export function applyDefaults(value: unknown, schema: ValueSchema, { stored = false }: DefaultsOptions = {}): number {
  if (!schema.needs.defaults) return 0;
  const copies = new Copies(stored ? ofStored : ofRequests);
  setDefaults(value, schema, copies);
  return copies.bytes;
}

/** How much the defaults of one object may be. */
interface Bounds {
  readonly values: number;
  readonly bytes: number;
  readonly manyValues: () => Error;
  readonly manyBytes: () => Error;
}

const ofRequests: Bounds = {
  values: limits.bodyValues.value,
  bytes: limits.requestBody.value,
  manyValues,
  manyBytes: () => requestEntityTooLarge(`limit is ${limits.requestBody.value}`),
};

const ofStored: Bounds = {
  values: 2 * limits.bodyValues.value,
  bytes: limits.defaultBytes.value,
  manyValues: tooLarge,
  manyBytes: tooLarge,
};

function tooLarge(): Error {
  return new TypeError('the defaults of the definition make the object too large');
}

function setDefaults(value: unknown, schema: ValueSchema, copies: Copies): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || !items.needs.defaults) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable) value[i] = copies.of(items.default) ?? null;
      setDefaults(value[i], items, copies);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const [name, property] of schema.defaulted) {
    if (!Object.hasOwn(object, name) || (object[name] === null && !property.nullable))
      object[name] = copies.of(property.default, name.length);
  }
  for (const key of Object.keys(object)) {
    const property = schema.property(key);
    if (property !== undefined) {
      if (property.needs.defaults) setDefaults(object[key], property, copies);
      continue;
    }
    const { additional } = schema;
    if (additional === undefined || !additional.needs.defaults) continue;
    if (object[key] === null && !additional.nullable) object[key] = copies.of(additional.default) ?? null;
    setDefaults(object[key], additional, copies);
  }
}

/** Removes in place nulls that are neither allowed nor will be replaced by a default; those in lists stay. */
export function pruneNulls(value: unknown, schema: ValueSchema | undefined): void {
  if (schema === undefined || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) pruneNulls(item, schema.items);
    return;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    const item = object[key];
    if (typeof item !== 'object') continue;
    const child = schema.under(key);
    if (item !== null) pruneNulls(item, child);
    else if (child !== undefined && !child.nullable && child.default === undefined) delete object[key];
  }
}

/** Copies of defaults, for one object. */
class Copies {
  readonly #bounds: Bounds;
  #values = 0;
  #bytes = 0;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** Of all that were made, as JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `undefined`: there is no default. `nameLength`: of the member that it becomes. @throws Error where they are too many, or too large */
  of(value: unknown, nameLength = 0): unknown {
    if (value === undefined) return undefined;
    const { bytes, values } = sizeOf(value);
    this.#values += values;
    this.#bytes += bytes + nameLength;
    if (this.#values > this.#bounds.values) throw this.#bounds.manyValues();
    if (this.#bytes > this.#bounds.bytes) throw this.#bounds.manyBytes();
    return typeof value === 'object' && value !== null ? structuredClone(value) : value;
  }
}

/** What a default adds to an object. */
interface Size {
  /** Members of objects and items of lists, and the default itself. */
  readonly values: number;
  /** As JSON: with four for each of its values, a text as it is. */
  readonly bytes: number;
}

/** Of defaults, which many objects get. */
const sizes = new WeakMap<object, Size>();

function sizeOf(value: unknown): Size {
  if (typeof value === 'string') return { values: 1, bytes: 4 + value.length };
  if (typeof value !== 'object' || value === null) return { values: 1, bytes: 4 };
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let values = 1;
  let bytes = 4;
  for (const [name, item] of Object.entries(value)) {
    const size = sizeOf(item);
    values += size.values;
    bytes += size.bytes + (Array.isArray(value) ? 0 : name.length);
  }
  const size = { values, bytes };
  sizes.set(value, size);
  return size;
}
