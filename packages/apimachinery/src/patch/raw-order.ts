import { compareText } from '../errors/go-format.ts';
import type { JSONValue } from '../object/object.ts';
import type { Schema } from '../schema/schema.ts';
import { getKey, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { pointerKey } from './json-pointer.ts';

/**
 * The order of keys in raw JSON (runtime.RawExtension), the one place of built-in kinds that shows it. What was
 * decoded from a request is kept as it was given; what went through a Go map, as patched objects do, comes out with
 * its keys sorted.
 */

/** Whether values of a schema are raw JSON, whose order of keys is kept. */
export function isRaw(schema: Schema | undefined): boolean {
  return schema?.kind === 'any' && schema.rawExtension === true;
}

/** The object, or a shallow copy of it that has its keys in order. */
export function inKeyOrder(object: JSONObject): JSONObject {
  const keys = Object.keys(object);
  if (keys.every((key, i) => i === 0 || compareText(keys[i - 1] as string, key) < 0)) return object;
  const copy: JSONObject = {};
  for (const key of keys.sort(compareText)) setKey(copy, key, object[key] as JSONValue);
  return copy;
}

/** The schema of a member: of raw JSON again raw JSON, `undefined` where nothing below can be raw. */
export function memberSchema(schema: Schema | undefined, key: string): Schema | undefined {
  switch (schema?.kind) {
    case 'struct':
      return schema.fields.get(key)?.schema;
    case 'map':
      return schema.values;
    case 'list':
      return schema.items;
    case 'any':
      return schema;
    default:
      return undefined;
  }
}

/**
 * Sorts the keys of the raw objects that lie on the way to the target of a JSON pointer: a patch opened them. The
 * value itself stays as given. `last` sorts the innermost of them in another way.
 */
export function orderAlong(
  root: JSONValue,
  path: string,
  schema: Schema,
  last: (object: JSONObject) => JSONValue = inKeyOrder,
): void {
  let at: JSONValue | undefined = root;
  let below: Schema | undefined = schema;
  const steps = path.split('/').slice(1, -1);
  for (const [i, step] of steps.entries()) {
    if (below === undefined || typeof at !== 'object' || at === null) return;
    const key = pointerKey(step);
    below = memberSchema(below, key);
    const next: JSONValue | undefined = Array.isArray(at) ? at[Number(key)] : getKey(at, key);
    if (!isRaw(below) || !isJSONObject(next)) {
      at = next;
      continue;
    }
    const ordered = i === steps.length - 1 ? last(next) : inKeyOrder(next);
    if (Array.isArray(at)) at[Number(key)] = ordered;
    else setKey(at, key, ordered);
    at = ordered;
  }
}
