import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { compareValues, contains, equalValues } from '../values/equality.ts';
import type { WorkCounter } from '../values/equality.ts';
import { checkedInt, checkedUint } from '../values/numbers.ts';
import { checkedDuration } from '../values/time.ts';
import { CelDuration, CelError, CelUint, ItemList, isList, itemsOf, typeNameOf } from '../values/values.ts';
import type { CelList } from '../values/values.ts';

const comparable = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'];

/** The smallest or largest item; the first of equal ones. */
function best(list: CelList, { name, sign }: { readonly name: string; readonly sign: number }): unknown {
  const [first, ...rest] = itemsOf(list);
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return rest.reduce((found, item) => (compareValues(found, item) * sign < 0 ? item : found), first);
}

function isSorted(list: CelList): boolean {
  const items = itemsOf(list);
  return items.every((item, i) => i === 0 || compareValues(items[i - 1], item) <= 0);
}

function slice(list: CelList, start: bigint, end: bigint): ItemList {
  const refused = (why: string): CelError => new CelError(`cannot slice(${start}, ${end}), ${why}`);
  if (start < 0n || end < 0n) throw refused('negative indexes not supported');
  if (start > end) throw refused('start index must be less than or equal to end index');
  if (BigInt(list.size) < end) throw refused(`list is length ${list.size}`);
  return new ItemList(itemsOf(list).slice(Number(start), Number(end)));
}

function flatten(list: CelList, depth: bigint): unknown[] {
  if (depth < 0n) throw new CelError('level must be non-negative');
  return itemsOf(list).flatMap((item) => (isList(item) && depth > 0n ? flatten(item, depth - 1n) : [item]));
}

/** The items of a list in the order of keys, one for each. */
function sortByKeys(list: CelList, keys: CelList): CelList {
  if (list.size !== keys.size)
    throw new CelError(
      '@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ' +
        `${list.size} and ${keys.size} elements respectively`,
    );
  const items = itemsOf(list),
    by = itemsOf(keys);
  if (by.some((key) => typeNameOf(key) !== typeNameOf(by[0])))
    throw new CelError('list elements must have the same type');
  return new ItemList(
    items
      .map((item, i) => ({ item, key: by[i] }))
      .sort((a, b) => compareValues(a.key, b.key))
      .map(({ item }) => item),
  );
}

function distinct(list: CelList, counter?: WorkCounter): CelList {
  const kept: unknown[] = [];
  for (const item of itemsOf(list))
    if (!kept.some((other) => equalValues(item, other, counter) === true)) kept.push(item);
  return new ItemList(kept);
}

function range(count: bigint): CelList {
  return new ItemList(Array.from({ length: Math.max(Number(count), 0) }, (_, i) => BigInt(i)));
}

const containsAll = (list: CelList, items: CelList, counter?: WorkCounter): boolean =>
  itemsOf(items).every((item) => contains(list, item, counter));

/** Lists (apiserver/cel/library/lists.go, 1.36; cel-go ext/lists.go, version 3; ext/sets.go). */
export const listFunctions: readonly CelFunction[] = [
  ...comparable.flatMap((type) => [
    define(`list(${type}).isSorted(): bool`, isSorted),
    define(`list(${type}).max(): ${type}`, (list: CelList) => best(list, { name: 'max', sign: 1 })),
    define(`list(${type}).min(): ${type}`, (list: CelList) => best(list, { name: 'min', sign: -1 })),
    define(`list(${type}).sort(): list(${type})`, (list: CelList) => sortByKeys(list, list)),
    define(`list(T).@sortByAssociatedKeys(list(${type})): list(T)`, sortByKeys),
  ]),
  define('list(int).sum(): int', (list: CelList) =>
    itemsOf(list).reduce((sum: bigint, item) => checkedInt(sum + (item as bigint)), 0n),
  ),
  define('list(uint).sum(): uint', (list: CelList) =>
    itemsOf(list).reduce((sum: CelUint, item) => checkedUint(sum.value + (item as CelUint).value), new CelUint(0n)),
  ),
  define('list(double).sum(): double', (list: CelList) =>
    itemsOf(list).reduce((sum: number, item) => sum + (item as number), 0),
  ),
  define('list(duration).sum(): duration', (list: CelList) =>
    itemsOf(list).reduce(
      (sum: CelDuration, item) => checkedDuration(sum.nanos + (item as CelDuration).nanos),
      new CelDuration(0n),
    ),
  ),
  define('list(A).indexOf(A): int', (list: CelList, value: unknown) =>
    BigInt(itemsOf(list).findIndex((item) => equalValues(item, value) === true)),
  ),
  define('list(A).lastIndexOf(A): int', (list: CelList, value: unknown) =>
    BigInt(itemsOf(list).findLastIndex((item) => equalValues(item, value) === true)),
  ),
  define('list(T).slice(int, int): list(T)', slice),
  define('list(list(T)).flatten(): list(T)', (list: CelList) => new ItemList(flatten(list, 1n)), { unguarded: true }),
  define('list(dyn).flatten(int): list(dyn)', (list: CelList, depth: bigint) => new ItemList(flatten(list, depth))),
  define('lists.range(int): list(int)', range),
  define('list(T).reverse(): list(T)', (list: CelList) => new ItemList(itemsOf(list).toReversed())),
  define('list(T).distinct(): list(T)', distinct, { counted: true }),
  define('sets.contains(list(T), list(T)): bool', containsAll, { counted: true }),
  define(
    'sets.equivalent(list(T), list(T)): bool',
    (a: CelList, b: CelList, counter?: WorkCounter) => containsAll(a, b, counter) && containsAll(b, a, counter),
    { counted: true },
  ),
  define(
    'sets.intersects(list(T), list(T)): bool',
    (a: CelList, b: CelList, counter?: WorkCounter) => itemsOf(a).some((item) => contains(b, item, counter)),
    { counted: true },
  ),
];
