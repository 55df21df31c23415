import type { ValueSchema } from '../schema/value-schema.ts';

/**
 * Sets in place the defaults of a CRD schema (apiserver/schema/defaulting, 1.36): absent properties, and nulls that
 * the schema does not allow, in properties, lists and maps. Run {@link pruneNulls} before it.
 */
export function applyDefaults(value: unknown, schema: ValueSchema): void {
  if (schema.needs.defaults) setDefaults(value, schema);
}

function setDefaults(value: unknown, schema: ValueSchema): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined || !items.needs.defaults) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable) value[i] = copy(items.default) ?? null;
      setDefaults(value[i], items);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const [name, property] of schema.defaulted) {
    if (!Object.hasOwn(object, name) || (object[name] === null && !property.nullable))
      object[name] = copy(property.default);
  }
  for (const key of Object.keys(object)) {
    const property = schema.property(key);
    if (property !== undefined) {
      if (property.needs.defaults) setDefaults(object[key], property);
      continue;
    }
    const { additional } = schema;
    if (additional === undefined || !additional.needs.defaults) continue;
    if (object[key] === null && !additional.nullable) object[key] = copy(additional.default) ?? null;
    setDefaults(object[key], additional);
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

function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
}
