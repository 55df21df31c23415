import { compareText, isPlainObject } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

const metaFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes in place the fields that a schema does not know (apiserver/schema/pruning, 1.36). apiVersion, kind and
 * metadata of embedded resources are left alone: {@link coerceEmbedded} sees to them.
 *
 * @param schema undefined: nothing is known, and objects lose all their fields
 * @param track whether to return the paths of what was removed, sorted: `spec.items[0].color`
 */
export function prune(value: unknown, schema: ValueSchema | undefined, track = false): string[] {
  const unknown: string[] | undefined = track ? [] : undefined;
  pruneValue(value, schema, '', unknown);
  return unknown?.sort(compareText) ?? [];
}

function pruneValue(
  value: unknown,
  schema: ValueSchema | undefined,
  path: string,
  unknown: string[] | undefined,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (schema?.preserveUnknown === true) {
    skipPrune(value, schema, path, unknown);
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++)
      pruneValue(value[i], schema?.items, unknown === undefined ? '' : `${path}[${i}]`, unknown);
    return;
  }
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    if (schema?.embedded === true && metaFields.has(key)) continue;
    const property = schema?.property(key);
    if (property !== undefined || schema?.isMap === true)
      pruneValue(object[key], property ?? schema?.additional, child(path, key, unknown), unknown);
    else {
      if (unknown !== undefined && (!metaFields.has(key) || path !== '')) unknown.push(child(path, key, unknown));
      delete object[key];
    }
  }
}

/** Below a node that keeps unknown fields, those that are known are pruned again. */
function skipPrune(value: object, schema: ValueSchema, path: string, unknown: string[] | undefined): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items !== undefined)
      value.forEach((item: unknown, i) => {
        if (typeof item === 'object' && item !== null)
          skipPrune(item, items, unknown === undefined ? '' : `${path}[${i}]`, unknown);
      });
    return;
  }
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value)) {
    if (schema.embedded && metaFields.has(key)) continue;
    const property = schema.property(key);
    if (property !== undefined || schema.isMap)
      pruneValue(value[key], property ?? schema.additional, child(path, key, unknown), unknown);
  }
}

function child(path: string, key: string, unknown: string[] | undefined): string {
  return unknown === undefined ? key : path === '' ? key : `${path}.${key}`;
}
