import { limits, manyValues } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

export interface DefaultsOptions {
  /** The object comes from the store, not from a request. Default false. */
  readonly stored?: boolean;
}

/**
 * Sets in place the defaults of a CRD schema (apiserver/schema/defaulting, 1.36): absent properties, and nulls that
 * the schema does not allow, in properties, lists and maps. Run {@link pruneNulls} before it.
 * `stored`: as many as there are, since an object that was stored before somebody wrote large defaults is still read,
 * listed and deleted.
 * @throws StatusError 413 where that would be more values than a body may have, unless `stored`: each of thousands of
 * items may get thousands of defaults
 */
export function applyDefaults(value: unknown, schema: ValueSchema, { stored = false }: DefaultsOptions = {}): void {
  if (schema.needs.defaults) setDefaults(value, schema, new Copies(stored ? Infinity : limits.bodyValues.value));
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
      object[name] = copies.of(property.default);
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
  /** How many values more there may be. */
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** `undefined`: there is no default. @throws StatusError 413 where they are too many */
  of(value: unknown): unknown {
    if (value === undefined) return undefined;
    const whole = typeof value === 'object' && value !== null;
    this.#left -= whole ? 1 + sizeOf(value) : 1;
    if (this.#left < 0) throw manyValues();
    return whole ? structuredClone(value) : value;
  }
}

/** Of defaults, which many objects get. */
const sizes = new WeakMap<object, number>();

/** The members of objects and items of lists in a value. */
function sizeOf(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 0;
  for (const item of Object.values(value))
    size += 1 + (typeof item === 'object' && item !== null ? sizeOf(item as object) : 0);
  sizes.set(value, size);
  return size;
}
