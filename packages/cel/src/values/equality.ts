import {
  CelDuration,
  CelError,
  CelOpaque,
  CelOptional,
  CelTime,
  CelTypeValue,
  CelUint,
  isCelError,
  isList,
  isMap,
  itemsOf,
  noSuchOverload,
} from './values.ts';
import type { CelList, CelMap } from './values.ts';

function numberOf(value: unknown): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
}

/**
 * -1, 0 or 1; `undefined` for NaN. A double and an int are compared as doubles, near 2⁶³ with the loss that has (cel-go
 * common/types/compare.go).
 */
function compareNumbers(x: number | bigint, y: number | bigint): number | undefined {
  if (typeof x !== typeof y) return compareNumbers(Number(x), Number(y));
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : undefined;
}

/** Is told of work as it is done, in units of `plan/work.ts`; what it throws ends the comparison. */
export interface WorkCounter {
  work(units: number): void;
}

/** Units of each two values that are compared, with taking them out of what they are in. */
const pairUnits = 8;
/** Units of two lists or maps, besides what is in them. */
const containerUnits = 16;
/** Units of the key of an item of a `set` or `map` list, besides its characters. */
const keyUnits = 32;
/** Characters and bytes that are compared at once. */
const comparedAtOnce = 16;

/** Of two values alone: texts are read only where they are equally long. */
function unitsOf(a: unknown, b: unknown): number {
  const isRead = typeof a === 'string' ? typeof b === 'string' : a instanceof Uint8Array && b instanceof Uint8Array;
  if (!isRead) return pairUnits;
  const { length } = a as string | Uint8Array;
  return (b as string | Uint8Array).length === length ? pairUnits + length / comparedAtOnce : pairUnits;
}

/**
 * Equality across types: numbers by value, everything else only within its own type. An error in either is the result.
 * It ends at the first difference, and the counter counts no further.
 */
export function equalValues(a: unknown, b: unknown, counter?: WorkCounter): boolean | CelError {
  counter?.work(unitsOf(a, b));
  if (a === b) return true;
  if (isCelError(a)) return a;
  if (isCelError(b)) return b;
  const x = numberOf(a),
    y = numberOf(b);
  if (x !== undefined && y !== undefined) return compareNumbers(x, y) === 0;
  if (a instanceof CelTime && b instanceof CelTime) return a.nanos === b.nanos;
  if (a instanceof CelDuration && b instanceof CelDuration) return a.nanos === b.nanos;
  if (a instanceof CelOpaque && b instanceof CelOpaque) return a.typeName === b.typeName && a.equals(b);
  if (a instanceof CelTypeValue && b instanceof CelTypeValue) return a.typeName === b.typeName;
  if (a instanceof CelOptional && b instanceof CelOptional)
    return a.present && b.present ? equalValues(a.value, b.value, counter) : a.present === b.present;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b) === 0;
  if (isList(a) && isList(b)) return equalLists(a, b, counter);
  return isMap(a) && isMap(b) ? equalMaps(a, b, counter) : false;
}

function equalMaps(a: CelMap, b: CelMap, counter: WorkCounter | undefined): boolean | CelError {
  // Objects list their fields for their size.
  counter?.work(containerUnits + a.size * pairUnits);
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined) return false;
    const equal = equalValues(a.get(key), other, counter);
    if (equal !== true) return equal;
  }
  return a.sameHidden?.(b) ?? true;
}

function equalLists(a: CelList, b: CelList, counter: WorkCounter | undefined): boolean | CelError {
  counter?.work(containerUnits);
  if (a.size !== b.size) return false;
  const keyText = a.keyOf ?? b.keyOf;
  const keyOf =
    keyText === undefined
      ? undefined
      : (item: unknown): string => {
          const key = keyText(item);
          counter?.work(keyUnits + key.length);
          return key;
        };
  const others = keyOf === undefined ? undefined : new Map(itemsOf(b).map((item) => [keyOf(item), item]));
  for (let i = 0; i < a.size; i++) {
    const item = a.at(i);
    const other = keyOf === undefined ? b.at(i) : others?.get(keyOf(item));
    if (other === undefined) return false;
    const equal = equalValues(item, other, counter);
    if (equal !== true) return equal;
  }
  return true;
}

/** -1, 0 or 1. @throws CelError for values without an order between them */
export function compareValues(a: unknown, b: unknown): number {
  const x = numberOf(a),
    y = numberOf(b);
  if (x !== undefined && y !== undefined) {
    const order = compareNumbers(x, y);
    if (order === undefined) throw new CelError('NaN values cannot be ordered');
    return order;
  }
  if (typeof a === 'string' && typeof b === 'string') return Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if ((a instanceof CelTime && b instanceof CelTime) || (a instanceof CelDuration && b instanceof CelDuration))
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  throw noSuchOverload();
}

/** Whether a value is among the items. @throws CelError of an item, if none is equal */
export function contains(list: CelList, value: unknown, counter?: WorkCounter): boolean {
  let failure: CelError | undefined;
  for (let i = 0; i < list.size; i++) {
    const equal = equalValues(list.at(i), value, counter);
    if (equal === true) return true;
    if (isCelError(equal)) failure ??= equal;
  }
  if (failure !== undefined) throw failure;
  return false;
}
