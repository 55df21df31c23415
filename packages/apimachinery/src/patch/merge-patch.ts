import { badRequest } from '../errors/constructors.ts';
import type { JSONValue } from '../object/object.ts';
import type { Schema } from '../schema/schema.ts';
import { jsonKind } from './go-types.ts';
import { cloneJSON, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { inKeyOrder, isRaw, memberSchema } from './raw-order.ts';
import { sortedForm } from '../serializer/json/wire-form.ts';

/**
 * Recognises a merge patch in a decoded body; `typed` as in decodeJSONPatch.
 * @throws StatusError BadRequest when it is not an object
 */
export function decodeMergePatch(body: JSONValue, options: { readonly typed?: boolean } = {}): JSONObject {
  if (isJSONObject(body)) return body;
  if (body === null || options.typed === false) throw badRequest('Invalid JSON Patch');
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${jsonKind(body)} into Go value of type map[string]interface {}`,
  );
}

/**
 * Applies an RFC 7386 merge patch; neither argument is changed. Raw JSON in the schema that the patch opens gets its
 * keys sorted.
 */
export function applyMergePatch(document: JSONObject, patch: JSONObject, schema?: Schema): JSONObject {
  const merged: JSONObject = {};
  for (const key of Object.keys(document)) {
    const value = document[key] as JSONValue;
    if (!Object.hasOwn(patch, key)) setKey(merged, key, cloneJSON(value));
    else {
      const change = patch[key] as JSONValue;
      if (change === null) continue;
      const below = memberSchema(schema, key);
      setKey(
        merged,
        key,
        isJSONObject(change) && isJSONObject(value)
          ? applyMergePatch(value, change, below)
          : // What replaces an object stays as it is; elsewhere nulls mean absence, even those in lists of objects.
            isJSONObject(value)
            ? cloneJSON(change)
            : added(change, below),
      );
    }
  }
  for (const key of Object.keys(patch)) {
    const change = patch[key] as JSONValue;
    if (change !== null && !Object.hasOwn(document, key)) setKey(merged, key, added(change, memberSchema(schema, key)));
  }
  return isRaw(schema) ? inKeyOrder(merged) : merged;
}

function added(change: JSONValue, schema: Schema | undefined): JSONValue {
  return inOrder(withoutNulls(change), schema);
}

function inOrder(value: JSONValue, schema: Schema | undefined): JSONValue {
  return isRaw(schema) ? (sortedForm(value) as JSONValue) : value;
}

/** A copy without the nulls of objects: in a patch they mean absence. Those of lists stay. */
export function withoutNulls(value: JSONValue): JSONValue {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJSONObject(value)) return value;
  const copy: JSONObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key] as JSONValue;
    if (item !== null) setKey(copy, key, withoutNulls(item));
  }
  return copy;
}
