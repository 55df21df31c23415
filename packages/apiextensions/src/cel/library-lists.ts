import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { CelDuration, CelError, ItemList, checkedInt, checkedUint, compareValues, equalValues, itemsOf } from './values.ts';
import type { CelList, CelUint } from './values.ts';

const comparable = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];

function best(list: CelList, { name, sign }: { readonly name: string; readonly sign: number }): unknown {
  const [first, ...rest] = itemsOf(list);
  if (first === undefined) throw new CelError(`${name} called on empty list`);
  return rest.reduce((found, item) => ((compareValues(item, found) ?? 0) * sign > 0 ? item : found), first);
}

function isSorted(list: CelList): boolean {
  const items = itemsOf(list);
  return items.every((item, i) => i === 0 || (compareValues(items[i - 1], item) ?? 0) <= 0);
}

/** Lists of apiserver/cel/library/lists.go (1.36), and those of cel-go's sets. */
export const listFunctions: readonly CelFunction[] = [
  ...comparable.flatMap((type) => [
    define(`list(${type}).isSorted(): bool`, isSorted),
    define(`list(${type}).min(): ${type}`, (list: CelList) => best(list, { name: 'min', sign: -1 })),
    define(`list(${type}).max(): ${type}`, (list: CelList) => best(list, { name: 'max', sign: 1 })),
  ]),
  define('list(int).sum(): int', (list: CelList) => itemsOf(list).reduce((sum: bigint, item) => checkedInt(sum + (item as bigint)), 0n)),
  define('list(uint).sum(): uint', (list: CelList) => checkedUint(itemsOf(list).reduce((sum: bigint, item) => sum + (item as CelUint).value, 0n))),
  define('list(double).sum(): double', (list: CelList) => itemsOf(list).reduce((sum: number, item) => sum + (item as number), 0)),
  define('list(duration).sum(): duration', (list: CelList) => new CelDuration(itemsOf(list).reduce((sum: bigint, item) => checkedInt(sum + (item as CelDuration).nanos), 0n))),
  define('list(A).indexOf(A): int', (list: CelList, value: unknown) => BigInt(itemsOf(list).findIndex((item) => equalValues(item, value)))),
  define('list(A).lastIndexOf(A): int', (list: CelList, value: unknown) => BigInt(itemsOf(list).findLastIndex((item) => equalValues(item, value)))),
  define('sets.contains(list(A), list(A)): bool', (a: CelList, b: CelList) => containsAll(a, b)),
  define('sets.equivalent(list(A), list(A)): bool', (a: CelList, b: CelList) => containsAll(a, b) && containsAll(b, a)),
  define('sets.intersects(list(A), list(A)): bool', (a: CelList, b: CelList) => itemsOf(b).some((item) => itemsOf(a).some((other) => equalValues(item, other)))),
  define('list(A).reverse(): list(A)', (list: CelList) => new ItemList(itemsOf(list).toReversed())),
];

function containsAll(a: CelList, b: CelList): boolean {
  const items = itemsOf(a);
  return itemsOf(b).every((item) => items.some((other) => equalValues(item, other)));
}
