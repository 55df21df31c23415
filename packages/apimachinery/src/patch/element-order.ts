import { goStringVerb, goValue } from '../errors/go-format.ts';
import { badRequest, genericServerResponse } from '../errors/constructors.ts';
import type { JSONValue } from '../object/object.ts';
import { reflectedTypeName } from './go-types.ts';
import type { JSONObject } from '../object/json-object.ts';
import { isJSONObject } from '../object/json-object.ts';
import { insertionOrder } from './insertion-order.ts';
import { patchFailure } from './patch-meta.ts';

/** The errors of upstream's util/mergepatch, with the codes that the server gives them. */
export const mergeErrors = {
  primitiveList: () => badRequest('invalid patch format of primitive list'),
  retainKeys: () => badRequest('invalid patch format of retainKeys'),
  setElementOrder: () => badRequest('invalid patch format of setElementOrder list'),
  listOfLists: () => genericServerResponse(422, '', { serverMessage: 'lists of lists are not supported' }),
  noMergeKey: (map: JSONObject, key: string) =>
    patchFailure(`map: ${goValue(map)} does not contain declared merge key: ${key}`),
  expectedMap: (actual: JSONValue) =>
    patchFailure(`expected a map[string]interface {}, but received a ${reflectedTypeName(actual)}`),
  expectedList: (actual: JSONValue) =>
    patchFailure(`expected a []interface {}, but received a ${reflectedTypeName(actual)}`),
  patchType: (type: JSONValue, map: JSONObject) =>
    patchFailure(`unknown patch type: ${goStringVerb(type)} in map: ${goValue(map)}`),
} as const;

/** What identifies an item: the value of its merge key, or the item itself in a list of scalars. */
function identity(item: JSONValue, mergeKey: string, maps: boolean): JSONValue | undefined {
  if (!maps) return item;
  return isJSONObject(item) && Object.hasOwn(item, mergeKey) ? item[mergeKey] : undefined;
}

function positions(order: readonly JSONValue[], mergeKey: string, maps: boolean): Map<JSONValue | undefined, number> {
  const index = new Map<JSONValue | undefined, number>();
  order.forEach((item, i) => {
    const id = identity(item, mergeKey, maps);
    if (!index.has(id)) index.set(id, i);
  });
  return index;
}

/** A merged list split into what the patch orders and what only the server has. */
export interface Partition {
  readonly patchItems: JSONValue[];
  readonly serverItems: JSONValue[];
}

/** Splits `merged` by whether `by` has an item of the same identity. */
export function partition(merged: readonly JSONValue[], by: readonly JSONValue[], mergeKey: string): Partition {
  const maps = mergeKey !== '';
  const index = positions(by, mergeKey, maps);
  const firstOdd = maps ? by.findIndex((item) => !isJSONObject(item)) : -1;
  const patchItems: JSONValue[] = [];
  const serverItems: JSONValue[] = [];
  for (const item of merged) {
    if (maps) {
      if (!isJSONObject(item)) throw mergeErrors.expectedMap(item);
      if (!Object.hasOwn(item, mergeKey)) throw mergeErrors.noMergeKey(item, mergeKey);
    }
    const at = index.get(identity(item, mergeKey, maps));
    // The reference looks items up one by one and stumbles over the first that is no map.
    if (firstOdd >= 0 && (at === undefined || at > firstOdd))
      throw patchFailure(`value for key ${firstOdd} is not a map`);
    (at === undefined ? serverItems : patchItems).push(item);
  }
  return { patchItems, serverItems };
}

/** How {@link orderItems} orders. */
export interface ItemOrder {
  readonly patchOrder: readonly JSONValue[];
  readonly serverOrder: readonly JSONValue[];
  readonly mergeKey: string;
  readonly maps: boolean;
}

/**
 * One list of both parts: the patch's items in the patch's order, the server's in the server's, and the server's
 * placed before the first of the patch's that followed it on the server.
 */
export function orderItems(parts: Partition, order: ItemOrder): JSONValue[] {
  const { mergeKey, maps } = order;
  const patch = sortBy(parts.patchItems, order.patchOrder, mergeKey, maps);
  const server = sortBy(parts.serverItems, order.serverOrder, mergeKey, maps);
  const index = positions(order.serverOrder, mergeKey, maps);
  const merged: JSONValue[] = [];
  let i = 0;
  for (const item of patch) {
    const at = index.get(identity(item, mergeKey, maps));
    for (; i < server.length; i++) {
      const before = index.get(identity(server[i] as JSONValue, mergeKey, maps));
      if (at === undefined || before === undefined || before >= at) break;
      merged.push(server[i] as JSONValue);
    }
    merged.push(item);
  }
  for (; i < server.length; i++) merged.push(server[i] as JSONValue);
  return merged;
}

/** Sorts by the position in `order`; items marked for deletion go last. */
export function sortBy(
  items: readonly JSONValue[],
  order: readonly JSONValue[],
  mergeKey: string,
  maps: boolean,
): JSONValue[] {
  let kept: JSONValue[] = [...items];
  let deleted: JSONValue[] = [];
  if (maps) {
    for (const item of [...items, ...order]) {
      if (!isJSONObject(item)) throw mergeErrors.expectedMap(item);
      if (!Object.hasOwn(item, mergeKey)) throw mergeErrors.noMergeKey(item, mergeKey);
    }
    deleted = kept.filter(isDeletion);
    kept = kept.filter((item) => !isDeletion(item));
  }
  const index = positions(order, mergeKey, maps);
  const rank = (item: JSONValue): number => index.get(identity(item, mergeKey, maps)) ?? -1;
  if (kept.every((item) => rank(item) >= 0)) {
    kept.sort((a, b) => rank(a) - rank(b));
  } else {
    kept = insertionOrder(kept, rank);
  }
  return [...kept, ...deleted];
}

function isDeletion(item: JSONValue): boolean {
  return isJSONObject(item) && item['$patch'] === 'delete';
}

/**
 * Whether all items are maps; they must be of one type.
 * @throws StatusError 500 for mixed lists and lists without items, 422 for lists of lists
 */
export function itemsAreMaps(...lists: readonly (readonly JSONValue[])[]): boolean {
  let first: string | undefined;
  for (const item of lists.flat(1)) {
    const type = reflectedTypeName(item);
    if (first === undefined) {
      first = type;
      if (Array.isArray(item)) throw mergeErrors.listOfLists();
    } else if (type !== first) {
      throw patchFailure(`list element types are not identical: ${goValue(lists as JSONValue)}`);
    }
  }
  if (first === undefined) throw patchFailure('no elements in any of the given slices');
  return first === 'map[string]interface {}';
}
