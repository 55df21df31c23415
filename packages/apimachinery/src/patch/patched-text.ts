import type { JSONValue } from '../object/object.ts';
import type { Schema } from '../schema/schema.ts';
import { compareText } from '../errors/go-format.ts';
import { dataText, encodeJSONText } from '../serializer/json/encode.ts';
import { isJSONObject } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { applyJSONPatch } from './json-patch.ts';
import type { JSONPatch } from './json-patch.ts';
import { withoutNulls } from './merge-patch.ts';
import { inKeyOrder, orderAlong } from './raw-order.ts';
import { sortedForm } from '../serializer/json/wire-form.ts';

/**
 * Patched documents as the texts of errors quote them. The reference's library opens no more of a document than a
 * patch touches: what it opened comes out with its keys sorted, the rest as it was written (evanphx/json-patch v4).
 */

/** Every part of a document is raw JSON to the patch. */
const unread: Schema = { kind: 'any', mapType: 'granular', rawExtension: true };

/** The text of a document after a JSON patch that applies to it; paths are looked at in the result. */
export function jsonPatchedText(document: JSONValue, patch: JSONPatch): string {
  const root = applyJSONPatch(document, patch, unread);
  for (const operation of patch) {
    const path = operation?.['path'];
    // A comparison opens all that it compares.
    if (operation?.['op'] === 'test' && typeof path === 'string')
      orderAlong(root, `${path}/`, unread, (object) => sortedForm(object) as JSONValue);
  }
  return dataText(isJSONObject(root) ? inKeyOrder(root) : root);
}

/** The text of a document after a merge patch; put together as text, since objects put keys that are numbers first. */
export function mergePatchedText(document: JSONObject, patch: JSONObject): string {
  const members = new Map<string, string>();
  for (const key of Object.keys(document)) {
    const value = document[key] as JSONValue;
    if (!Object.hasOwn(patch, key)) members.set(key, dataText(value));
    else if (patch[key] !== null) members.set(key, replacedText(value, patch[key] as JSONValue));
  }
  for (const key of Object.keys(patch))
    if (patch[key] !== null && !Object.hasOwn(document, key)) members.set(key, openedText(patch[key] as JSONValue));
  const texts = [...members].sort(([a], [b]) => compareText(a, b)).map(([key, text]) => `${dataText(key)}:${text}`);
  return `{${texts.join(',')}}`;
}

function replacedText(value: JSONValue, change: JSONValue): string {
  if (!isJSONObject(value)) return openedText(change);
  return isJSONObject(change) ? mergePatchedText(value, change) : dataText(change);
}

/** Of what a patch adds: nulls of objects mean absence. */
function openedText(value: JSONValue): string {
  return encodeJSONText(withoutNulls(value));
}
