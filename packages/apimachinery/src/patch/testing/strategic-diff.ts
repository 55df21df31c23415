import { compareText, goValue } from '../../errors/go-format.ts';
import type { JSONValue } from '../../object/object.ts';
import type { Schema } from '../../schema/schema.ts';
import { deduplicate } from '../deduplicate.ts';
import { itemsAreMaps, mergeErrors, sortBy } from '../element-order.ts';
import { cloneJSON, equalJSON, isJSONObject, setKey } from '../../object/json-object.ts';
import type { JSONObject } from '../../object/json-object.ts';
import type { FieldPatchMeta } from '../patch-meta.ts';
import { lookupList, lookupMap } from '../patch-meta.ts';
import { DELETE_FROM_LIST, DIRECTIVE, RETAIN_KEYS, SET_ELEMENT_ORDER, mergeMap } from '../strategic-merge.ts';

interface DiffOptions {
  readonly additions: boolean;
  readonly deletions: boolean;
  readonly retainKeys: boolean;
}

/** The strategic merge patch that leads from one object to another (upstream CreateTwoWayMergePatch). */
export function createStrategicMergePatch(original: JSONObject, modified: JSONObject, schema: Schema): JSONObject {
  return diffMaps(cloneJSON(original), cloneJSON(modified), schema, {
    additions: true,
    deletions: true,
    retainKeys: false,
  });
}

/** The three states that {@link createThreeWayMergePatch} compares. */
export interface ThreeWay {
  /** What was applied last. */
  readonly original: JSONObject;
  /** What is to be applied now. */
  readonly modified: JSONObject;
  /** What is on the server. */
  readonly current: JSONObject;
}

/**
 * The patch of `kubectl apply`: sets what `modified` has other than `current`, and deletes what `original` had and
 * `modified` has not. Changes by others are overwritten where they touch the same fields.
 */
export function createThreeWayMergePatch(states: ThreeWay, schema: Schema): JSONObject {
  const { original, modified, current } = cloneJSON({ ...states });
  const delta = diffMaps(current as JSONObject, cloneJSON(modified as JSONObject), schema, {
    additions: true,
    deletions: false,
    retainKeys: false,
  });
  const deletions = diffMaps(original as JSONObject, modified as JSONObject, schema, {
    additions: false,
    deletions: true,
    retainKeys: false,
  });
  return mergeMap(deletions, delta, { schema, isPointer: false }, 'combine');
}

function diffMaps(original: JSONObject, modified: JSONObject, schema: Schema, options: DiffOptions): JSONObject {
  const patch: JSONObject = {};
  const retained: string[] = [];
  for (const key of Object.keys(modified)) {
    const after = modified[key] as JSONValue;
    if (options.retainKeys && after !== null) retained.push(key);
    const before = Object.hasOwn(original, key) ? (original[key] as JSONValue) : undefined;
    if (isJSONObject(before) && isJSONObject(after)) diffObject(key, before, after);
    else if (Array.isArray(before) && Array.isArray(after)) diffList(key, before, after);
    else if (options.additions && !equalJSON(before, after)) setKey(patch, key, after);
  }
  if (options.deletions) {
    for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) setKey(patch, key, null);
  }
  if (
    retained.length > 0 &&
    (Object.keys(patch).length > 0 ||
      Object.keys(original).some((key) => original[key] !== null && !Object.hasOwn(modified, key)))
  ) {
    patch[RETAIN_KEYS] = retained.sort(compareText);
  }
  return patch;

  function diffObject(key: string, before: JSONObject, after: JSONObject): void {
    if (equalJSON(before, after)) return;
    const meta = lookupMap(schema, key);
    if (meta.strategy === 'replace') {
      if (options.additions) setKey(patch, key, after);
      return;
    }
    const inner = diffMaps(before, after, meta.schema, { ...options, retainKeys: meta.retainKeys });
    if (Object.keys(inner).length > 0) setKey(patch, key, inner);
  }

  function diffList(key: string, before: JSONValue[], after: JSONValue[]): void {
    if (equalJSON(before, after)) return;
    const meta = lookupList({ schema, isPointer: false }, key);
    if (meta.strategy !== 'merge') {
      if (options.additions) setKey(patch, key, after);
      return;
    }
    const { add, remove, order } = diffMergedLists(before, after, meta, { ...options, retainKeys: meta.retainKeys });
    if (add.length > 0) setKey(patch, key, add);
    if (remove.length > 0) patch[`${DELETE_FROM_LIST}/${key}`] = remove;
    if (order.length > 0) patch[`${SET_ELEMENT_ORDER}/${key}`] = order;
  }
}

interface ListDiff {
  readonly add: JSONValue[];
  readonly remove: JSONValue[];
  readonly order: JSONValue[];
}

function diffMergedLists(
  before: JSONValue[],
  after: JSONValue[],
  meta: FieldPatchMeta,
  options: DiffOptions,
): ListDiff {
  if (before.length === 0) return { add: options.additions ? after : [], remove: [], order: [] };
  const { mergeKey } = meta;
  if (!itemsAreMaps(before, after)) {
    const was = new Set(before);
    const is = new Set(after);
    const add = options.additions ? after.filter((item) => !was.has(item)) : [];
    const remove = options.deletions ? deduplicate(before.filter((item) => !is.has(item))) : [];
    const changed = (options.deletions && remove.length > 0) || options.additions;
    return { add: sortBy(add, after, '', false), remove, order: changed ? after : [] };
  }
  const add: JSONValue[] = [];
  // The first item of a key is the one that is compared.
  const was = new Map((before as JSONObject[]).toReversed().map((old) => [keyOf(old, mergeKey), old]));
  const is = new Set((after as JSONObject[]).map((item) => keyOf(item, mergeKey)));
  for (const item of after as JSONObject[]) {
    const old = was.get(keyOf(item, mergeKey));
    if (old === undefined) {
      if (options.additions) add.push(item);
      continue;
    }
    const inner = diffMaps(old, item, meta.schema, options);
    if (Object.keys(inner).length > 0) add.push({ ...inner, [mergeKey]: item[mergeKey] as JSONValue });
  }
  const removed = !options.deletions
    ? []
    : (before as JSONObject[])
        .filter((old) => !is.has(keyOf(old, mergeKey)))
        .map((old) => ({ [mergeKey]: old[mergeKey] as JSONValue, [DIRECTIVE]: 'delete' }));
  const list = [...sortBy(add, after, mergeKey, true), ...removed];
  const sameOrder =
    before.length === after.length &&
    before.every((old, i) => keyOf(old as JSONObject, mergeKey) === keyOf(after[i] as JSONObject, mergeKey));
  const ordered = (options.additions && (list.length > 0 || !sameOrder)) || (options.deletions && list.length > 0);
  return {
    add: list,
    remove: [],
    order: ordered ? (after as JSONObject[]).map((item) => ({ [mergeKey]: item[mergeKey] as JSONValue })) : [],
  };
}

function keyOf(item: JSONObject, mergeKey: string): string {
  if (!Object.hasOwn(item, mergeKey)) throw mergeErrors.noMergeKey(item, mergeKey);
  return goValue(item[mergeKey]);
}
