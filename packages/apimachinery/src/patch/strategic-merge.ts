import { compareText, goValue } from '../errors/go-format.ts';
import type { JSONValue } from '../object/object.ts';
import type { Schema } from '../schema/schema.ts';
import { deduplicate } from './deduplicate.ts';
import { itemsAreMaps, mergeErrors, orderItems, partition } from './element-order.ts';
import { equalJSON, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { goKind, lookupList, lookupMap, patchFailure } from './patch-meta.ts';
import type { FieldPatchMeta, PatchedType } from './patch-meta.ts';

/** `$patch`: replace, delete or (refused) merge the object or item that it stands in. */
export const DIRECTIVE = '$patch';
/** `$retainKeys`: names all keys that stay. */
export const RETAIN_KEYS = '$retainKeys';
/** `$deleteFromPrimitiveList/<field>`: scalars to remove. */
export const DELETE_FROM_LIST = '$deleteFromPrimitiveList';
/** `$setElementOrder/<field>`: the order of the items. */
export const SET_ELEMENT_ORDER = '$setElementOrder';

/** Whether a patch is applied to an object, or laid over another patch (for a three-way diff). */
export type MergeMode = 'apply' | 'combine';

/**
 * Applies a strategic merge patch by the schema's patch strategies and merge keys (upstream StrategicMergeMapPatch).
 *
 * Both arguments are changed and the result shares parts with them: pass private copies. What is left of `patch`
 * is what the reference prints in later errors.
 *
 * @throws StatusError 400, 422 or 500 with upstream's text
 */
export function strategicMergePatch(original: JSONObject, patch: JSONObject, schema: Schema): JSONObject {
  return mergeMap(original, patch, { schema, isPointer: false }, 'apply');
}

/** Merges `patch` into `original`; both are changed. */
export function mergeMap(original: JSONObject, patch: JSONObject, type: PatchedType, mode: MergeMode): JSONObject {
  if (Object.hasOwn(patch, DIRECTIVE)) return applyDirective(patch);
  applyRetainKeys(original, patch, mode);
  mergeOrderedLists(original, patch, type, mode);
  for (const patchKey of Object.keys(patch).sort(compareText)) {
    const value = patch[patchKey] as JSONValue;
    const deletes = patchKey.startsWith(DELETE_FROM_LIST);
    if (deletes && mode === 'combine') {
      setKey(original, patchKey, value);
      continue;
    }
    const key = deletes ? fieldOf(patchKey, DELETE_FROM_LIST) : patchKey;
    if (value === null) {
      delete original[key];
      if (mode === 'apply') continue;
    }
    const current = Object.hasOwn(original, key) ? (original[key] as JSONValue) : undefined;
    if (current === undefined || typeClass(current) !== typeClass(value)) {
      if (!deletes) {
        if (mode === 'apply') dropNulls(value);
        setOrDelete(original, key, withoutDirectives(value));
      }
    } else if (isJSONObject(value)) {
      const meta = lookupMap(type.schema, key);
      setKey(original, key, meta.strategy === 'replace' ? value : mergeMap(current as JSONObject, value, meta, mode));
    } else if (Array.isArray(value)) {
      setKey(original, key, mergeLists(current as JSONValue[], value, lookupList(type, key), { mode, deletes }));
    } else {
      setKey(original, key, value);
    }
  }
  return original;
}

/** Values of one class are merged into each other, others replaced. */
function typeClass(value: JSONValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function applyDirective(patch: JSONObject): JSONObject {
  const directive = patch[DIRECTIVE] as JSONValue;
  if (directive === 'replace') {
    delete patch[DIRECTIVE];
    return patch;
  }
  if (directive === 'delete') return {};
  throw mergeErrors.patchType(directive, patch);
}

/** The field that a parallel list belongs to: what follows the first slash. */
function fieldOf(key: string, prefix: typeof DELETE_FROM_LIST | typeof SET_ELEMENT_ORDER): string {
  const slash = key.indexOf('/');
  if (slash < 0 || key.slice(0, slash) !== prefix)
    throw prefix === DELETE_FROM_LIST ? mergeErrors.primitiveList() : mergeErrors.setElementOrder();
  return key.slice(slash + 1);
}

function applyRetainKeys(original: JSONObject, patch: JSONObject, mode: MergeMode): void {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return;
  const list = patch[RETAIN_KEYS] as JSONValue;
  delete patch[RETAIN_KEYS];
  if (mode === 'combine') {
    if (Object.hasOwn(original, RETAIN_KEYS) && !equalJSON(original[RETAIN_KEYS], list)) {
      throw patchFailure('the $retainKeys directives of two patches differ');
    }
    setKey(original, RETAIN_KEYS, list);
    return;
  }
  if (!Array.isArray(list)) throw mergeErrors.retainKeys();
  const retained = new Set(list);
  for (const key of Object.keys(patch)) {
    if (patch[key] === null || key.startsWith(DELETE_FROM_LIST) || key.startsWith(SET_ELEMENT_ORDER)) continue;
    if (!retained.has(key)) throw mergeErrors.retainKeys();
  }
  for (const key of Object.keys(original)) if (!retained.has(key)) delete original[key];
}

/** Handles each `$setElementOrder` list together with the list that it orders, and takes both out of the patch. */
function mergeOrderedLists(original: JSONObject, patch: JSONObject, type: PatchedType, mode: MergeMode): void {
  for (const orderKey of Object.keys(patch).sort(compareText)) {
    if (!orderKey.startsWith(SET_ELEMENT_ORDER)) continue;
    const order = patch[orderKey] as JSONValue;
    if (mode === 'combine') {
      if (Object.hasOwn(original, orderKey)) {
        if (!equalJSON(original[orderKey], order)) throw mergeErrors.setElementOrder();
      } else setKey(original, orderKey, order);
    }
    delete patch[orderKey];
    if (!Array.isArray(order)) throw mergeErrors.expectedList(order);
    const key = fieldOf(orderKey, SET_ELEMENT_ORDER);
    const current = listAt(original, key);
    const changes = listAt(patch, key);
    const meta = lookupList(type, key);
    checkOrder(changes ?? [], order, meta.mergeKey);
    let merged: JSONValue[];
    if (current === undefined && changes === undefined) continue;
    if (changes === undefined) merged = current ?? [];
    else if (current === undefined) merged = withoutDirectives(changes) as JSONValue[];
    else merged = mergeLists(current, changes, meta, { mode, deletes: false });
    const parts = partition(merged, order, meta.mergeKey);
    const maps = itemsAreMaps(current ?? [], changes ?? []);
    setKey(
      original,
      key,
      orderItems(parts, { patchOrder: order, serverOrder: current ?? [], mergeKey: meta.mergeKey, maps }),
    );
    delete patch[key];
  }
}

function listAt(object: JSONObject, key: string): JSONValue[] | undefined {
  if (!Object.hasOwn(object, key)) return undefined;
  const value = object[key] as JSONValue;
  if (!Array.isArray(value)) throw mergeErrors.expectedList(value);
  return value;
}

/** The items of a patch must stand in the order that its `$setElementOrder` gives them. */
function checkOrder(changes: readonly JSONValue[], order: readonly JSONValue[], mergeKey: string): void {
  if (changes.length === 0 || order.length === 0) return;
  const kept =
    mergeKey === ''
      ? changes
      : changes.filter((item) => {
          if (!isJSONObject(item)) throw mergeErrors.expectedMap(item);
          return item[DIRECTIVE] !== 'delete';
        });
  let at = 0;
  let orderAt = 0;
  while (at < kept.length && orderAt < order.length) {
    const item = kept[at] as JSONValue;
    if (isJSONObject(item) && Object.hasOwn(item, DIRECTIVE)) {
      at++;
      continue;
    }
    if (sameItem(item, order[orderAt] as JSONValue, mergeKey)) at++;
    orderAt++;
  }
  if (at < kept.length && orderAt >= order.length) {
    throw patchFailure(
      `The order in patch list:\n${goValue(changes)}\n doesn't match ${SET_ELEMENT_ORDER} list:\n${goValue(order)}\n`,
    );
  }
}

function sameItem(left: JSONValue, right: JSONValue, mergeKey: string): boolean {
  if (mergeKey === '') return left === right;
  for (const item of [left, right]) {
    if (!isJSONObject(item)) throw mergeErrors.expectedMap(item);
    if (!Object.hasOwn(item, mergeKey)) throw mergeErrors.noMergeKey(item, mergeKey);
  }
  return (left as JSONObject)[mergeKey] === (right as JSONObject)[mergeKey];
}

function mergeLists(
  original: JSONValue[],
  patch: JSONValue[],
  meta: FieldPatchMeta,
  { deletes, mode }: { readonly mode: MergeMode; readonly deletes: boolean },
): JSONValue[] {
  if (meta.strategy !== 'merge' && !deletes) return patch;
  if (original.length === 0 && patch.length === 0) return original;
  const maps = itemsAreMaps(original, patch);
  const { mergeKey } = meta;
  let server = original;
  let changes = patch;
  let merged: JSONValue[];
  if (!maps) {
    if (deletes && mode === 'apply') {
      const gone = new Set(patch);
      return original.filter((item) => !gone.has(item));
    }
    merged = deduplicate([...original, ...patch]);
  } else {
    if (mergeKey === '') throw patchFailure(`cannot merge lists without merge key for ${goKind(meta.schema)}`);
    [server, changes] = applyItemDirectives(original as JSONObject[], patch as JSONObject[], mergeKey);
    merged = mergeItems(server, changes as JSONObject[], meta, mode);
  }
  return orderItems(partition(merged, changes, mergeKey), { patchOrder: changes, serverOrder: server, mergeKey, maps });
}

/** Deletes and replaces as the items' `$patch` say; the list left, and the patch without such items. */
function applyItemDirectives(
  original: JSONObject[],
  patch: readonly JSONObject[],
  mergeKey: string,
): [original: JSONValue[], patch: JSONValue[]] {
  const plain: JSONObject[] = [];
  const deleted = new Set<JSONValue | undefined>();
  let replaces = false;
  for (const item of patch) {
    if (!Object.hasOwn(item, DIRECTIVE)) {
      plain.push(item);
      continue;
    }
    const directive = item[DIRECTIVE] as JSONValue;
    if (directive === 'delete') {
      if (!Object.hasOwn(item, mergeKey)) throw mergeErrors.noMergeKey(item, mergeKey);
      deleted.add(item[mergeKey]);
    } else if (directive === 'replace') replaces = true;
    else if (directive === 'merge') throw patchFailure('merging lists cannot yet be specified in the patch');
    else throw mergeErrors.patchType(directive, item);
  }
  if (replaces) return [plain, []];
  const left =
    deleted.size === 0
      ? original
      : original.filter((other) => !(Object.hasOwn(other, mergeKey) && deleted.has(other[mergeKey])));
  return [left, plain];
}

/** Merges items of equal key, appends the others. */
function mergeItems(
  original: readonly JSONValue[],
  patch: readonly JSONObject[],
  meta: FieldPatchMeta,
  mode: MergeMode,
): JSONValue[] {
  const merged = [...original];
  // The first item of a key is the one that is merged into.
  const places = new Map<JSONValue | undefined, number>();
  const note = (item: JSONValue, at: number): void => {
    if (!isJSONObject(item) || !Object.hasOwn(item, meta.mergeKey)) return;
    const key = item[meta.mergeKey];
    if (!places.has(key)) places.set(key, at);
  };
  merged.forEach(note);
  for (const item of patch) {
    if (!Object.hasOwn(item, meta.mergeKey)) throw mergeErrors.noMergeKey(item, meta.mergeKey);
    const at = places.get(item[meta.mergeKey]);
    if (at === undefined) {
      note(item, merged.length);
      merged.push(item);
    } else {
      merged[at] = mergeMap(merged[at] as JSONObject, item, meta, mode);
      if (at < original.length) (original as JSONValue[])[at] = merged[at];
    }
  }
  return merged;
}

/** Drops nulls of objects, at any depth, in place. */
function dropNulls(value: JSONValue): void {
  if (Array.isArray(value)) value.forEach(dropNulls);
  else if (isJSONObject(value)) {
    for (const key of Object.keys(value)) {
      const item = value[key] as JSONValue;
      if (item === null) delete value[key];
      else dropNulls(item);
    }
  }
}

/** The value without anything marked by a directive; `undefined` when it is marked itself. In place for objects. */
function withoutDirectives(value: JSONValue): JSONValue | undefined {
  if (Array.isArray(value)) {
    const items: JSONValue[] = [];
    for (const item of value) {
      const kept = withoutDirectives(item);
      if (kept !== undefined) items.push(kept);
    }
    return items;
  }
  if (!isJSONObject(value)) return value;
  if (Object.hasOwn(value, DIRECTIVE)) return undefined;
  for (const key of Object.keys(value)) setOrDelete(value, key, withoutDirectives(value[key] as JSONValue));
  return value;
}

function setOrDelete(object: JSONObject, key: string, value: JSONValue | undefined): void {
  if (value === undefined) delete object[key];
  else setKey(object, key, value);
}
