import { encodeJSONText, limits, manyValues, requestEntityTooLarge } from '@kubechain/apimachinery';
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
      if (value[i] === null && !items.nullable) value[i] = copies.ofItem(items) ?? null;
      setDefaults(value[i], items, copies);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const property of schema.defaulted) {
    const [name, { default: value, nullable }] = property;
    if (!Object.hasOwn(object, name) || (object[name] === null && !nullable))
      object[name] = copies.of(value, memberSize(property));
  }
  for (const key of Object.keys(object)) {
    const property = schema.property(key);
    if (property !== undefined) {
      if (property.needs.defaults) setDefaults(object[key], property, copies);
      continue;
    }
    const { additional } = schema;
    if (additional === undefined || !additional.needs.defaults) continue;
    if (object[key] === null && !additional.nullable) object[key] = copies.ofItem(additional) ?? null;
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

  /** Of an item of a list or map, which has taken its place already. `undefined`: it has no default. @throws as `of` */
  ofItem(schema: ValueSchema): unknown {
    return schema.default === undefined ? undefined : this.of(schema.default, itemSize(schema));
  }

  /** `size`: what it adds. @throws Error where they are too many, or too large */
  of(value: unknown, { bytes, values }: Size): unknown {
    this.#values += values;
    this.#bytes += bytes;
    if (this.#values > this.#bounds.values) throw this.#bounds.manyValues();
    if (this.#bytes > this.#bounds.bytes) throw this.#bounds.manyBytes();
    return typeof value === 'object' && value !== null ? structuredClone(value) : value;
  }
}

/** What a default adds to an object. */
interface Size {
  /** Members of objects and items of lists, and the default itself. */
  readonly values: number;
  /** As JSON, in UTF-8. */
  readonly bytes: number;
}

/** A property with a default, and its name. */
type Property = readonly [name: string, schema: ValueSchema];

/** Of defaults, which many objects get: by the property, or by the schema of items. */
const sizes = new WeakMap<Property | ValueSchema, Size>();

/** Of a member of an object that was not there: its name, and what goes around it. */
function memberSize(property: Property): Size {
  let size = sizes.get(property);
  if (size === undefined) {
    const [name, schema] = property;
    sizes.set(property, (size = sizeOf(schema.default, jsonBytes(name) + 2)));
  }
  return size;
}

function itemSize(schema: ValueSchema): Size {
  let size = sizes.get(schema);
  if (size === undefined) sizes.set(schema, (size = sizeOf(schema.default, 0)));
  return size;
}

function sizeOf(value: unknown, around: number): Size {
  return { values: valuesOf(value), bytes: jsonBytes(value) + around };
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let values = 1;
  for (const item of Object.values(value)) values += valuesOf(item);
  return values;
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(encodeJSONText(value));
}
