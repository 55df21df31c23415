import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { displayText } from '../values/display.ts';
import {
  CelDuration,
  CelError,
  CelOptional,
  CelTime,
  CelUint,
  ItemList,
  isList,
  isMap,
  itemsOf,
} from '../values/values.ts';
import type { CelList, CelMap } from '../values/values.ts';

function isZero(value: unknown): boolean {
  if (value === null || value === '' || value === 0 || value === 0n || value === false) return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTime) return value.nanos === -62_135_596_800_000_000_000n;
  if (value instanceof CelOptional) return !value.present;
  if (value instanceof Uint8Array) return value.length === 0;
  return (isList(value) || isMap(value)) && value.size === 0;
}

function valueOf({ present, value }: CelOptional): unknown {
  if (!present) throw new CelError('optional.none() dereference');
  return value;
}

function unwrap(list: CelList): ItemList {
  return new ItemList(
    itemsOf(list).flatMap((item) => {
      if (!(item instanceof CelOptional)) throw new CelError(`value ${displayText(item)} is not optional`);
      return item.present ? [item.value] : [];
    }),
  );
}

function itemAt(list: CelList, index: number): CelOptional {
  return index < 0 || index >= list.size ? CelOptional.none : new CelOptional(list.at(index));
}

const entryAt = (of: CelList | CelMap): unknown => of;

/**
 * Optional values (cel-go cel/library.go OptionalTypes, version 2). `or`, `orValue` and indices are evaluated by the
 * planner; their types are declared here.
 */
export const optionalFunctions: readonly CelFunction[] = [
  define('optional.of(V): optional_type(V)', (value: unknown) => new CelOptional(value)),
  define('optional.none(): optional_type(V)', () => CelOptional.none),
  define('optional.ofNonZeroValue(V): optional_type(V)', (value: unknown) =>
    isZero(value) ? CelOptional.none : new CelOptional(value),
  ),
  define('optional_type(V).value(): V', valueOf),
  define('optional_type(V).hasValue(): bool', ({ present }: CelOptional) => present),
  define('optional_type(V).or(optional_type(V)): optional_type(V)', (a: CelOptional, b: CelOptional) =>
    a.present ? a : b,
  ),
  define('optional_type(V).orValue(V): V', (a: CelOptional, b: unknown) => (a.present ? a.value : b)),
  define('_[?_](list(V), int): optional_type(V)', entryAt),
  define('_[?_](optional_type(list(V)), int): optional_type(V)', entryAt),
  define('_[?_](map(K, V), K): optional_type(V)', entryAt),
  define('_[?_](optional_type(map(K, V)), K): optional_type(V)', entryAt),
  define('_[_](optional_type(list(V)), int): optional_type(V)', entryAt),
  define('_[_](optional_type(map(K, V)), K): optional_type(V)', entryAt),
  define('list(V).first(): optional_type(V)', (list: CelList) => itemAt(list, 0)),
  define('list(V).last(): optional_type(V)', (list: CelList) => itemAt(list, list.size - 1)),
  define('optional.unwrap(list(optional_type(V))): list(V)', unwrap),
  define('list(optional_type(V)).unwrapOpt(): list(V)', unwrap),
];
