import { equalJSON, isJSONObject, setKey } from '../../object/json-object.ts';
import type { JSONObject } from '../../object/json-object.ts';
import type { JSONValue } from '../../object/object.ts';

/** The merge patch that leads from one document to another that has no nulls in objects. */
export function createMergePatch(from: JSONObject, to: JSONObject): JSONObject {
  const patch: JSONObject = {};
  for (const key of Object.keys(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    const after = to[key] as JSONValue;
    if (isJSONObject(before) && isJSONObject(after)) {
      const inner = createMergePatch(before, after);
      if (Object.keys(inner).length > 0) setKey(patch, key, inner);
    } else if (!equalJSON(before, after)) setKey(patch, key, after);
  }
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setKey(patch, key, null);
  return patch;
}
