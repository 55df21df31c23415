import { append } from '@kubechain/apimachinery';
import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { compareValues, contains, equalValues } from '../values/equality.ts';
import type { WorkCounter } from '../values/equality.ts';
import {
  checkedInt,
  checkedUint,
  conversionError,
  formatDouble,
  parseDouble,
  parseInt64,
  parseUint64,
  truncatedInt,
  truncatedUint,
} from '../values/numbers.ts';
import {
  checkedDuration,
  checkedTime,
  durationText,
  parseCelDuration,
  parseTimestamp,
  timeGetters,
  timePart,
  timestampText,
} from '../values/time.ts';
import {
  CelDuration,
  CelError,
  CelTypeValue,
  GrowingList,
  ItemList,
  codePoints,
  itemsOf,
  typeNameOf,
} from '../values/values.ts';
import type { CelList, CelMap, CelTime, CelUint } from '../values/values.ts';
import { patternOf } from './patterns.ts';

const seconds = 1_000_000_000n;
const ordered = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const numeric = ['int', 'uint', 'double'];
const orders = [
  ...ordered.map((name) => [name, name]),
  ...numeric.flatMap((a) => numeric.filter((b) => b !== a).map((b) => [a, b])),
];

function comparisons(operator: string, holds: (order: number) => boolean): CelFunction[] {
  return orders.map(([a = '', b = '']) =>
    define(`${operator}(${a}, ${b}): bool`, (x: unknown, y: unknown) => holds(compareValues(x, y))),
  );
}

function nonZero(divisor: bigint, message: string): bigint {
  if (divisor === 0n) throw new CelError(message);
  return divisor;
}
const divide = (a: bigint, b: bigint): bigint => a / nonZero(b, 'division by zero');
const modulo = (a: bigint, b: bigint): bigint => a % nonZero(b, 'modulus by zero');

/**
 * Lists one after the other; in `set` and `map` lists, items of the second replace those that they belong to, or are
 * left out of sets.
 */
function concat(a: CelList, b: CelList): CelList {
  if (a instanceof GrowingList) {
    append(a.items, itemsOf(b));
    return a;
  }
  const { keyOf } = a;
  if (keyOf === undefined) return new ItemList([...itemsOf(a), ...itemsOf(b)]);
  const merged = new Map(itemsOf(a).map((item) => [keyOf(item), item]));
  for (const item of itemsOf(b)) merged.set(keyOf(item), item);
  return new ItemList([...merged.values()], keyOf);
}

function bool(text: string): boolean {
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true;
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text)) return false;
  throw conversionError('string', 'bool');
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CelError('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const size = (of: CelList | CelMap): bigint => BigInt(of.size);
const textSize = (text: string): bigint => BigInt(codePoints(text));
const bytesSize = (bytes: Uint8Array): bigint => BigInt(bytes.length);

/** Operators (under cel-go's names) and functions of the language itself (cel-go common/stdlib, 0.26). */
export const standardFunctions: readonly CelFunction[] = [
  // Those whose parts are not all evaluated are evaluated by the planner; their types are declared here.
  define('_&&_(bool, bool): bool', (a: boolean, b: boolean) => a && b),
  define('_||_(bool, bool): bool', (a: boolean, b: boolean) => a || b),
  define('_?_:_(bool, A, A): A', (condition: boolean, a: unknown, b: unknown) => (condition ? a : b)),
  define('@not_strictly_false(bool): bool', (a: unknown) => a !== false),
  define('_[_](list(A), int): A', (list: CelList, index: bigint) => list.at(Number(index))),
  define('_[_](map(A, B), A): B', (map: CelMap, key: unknown) => map.get(key)),
  define('_==_(A, A): bool', equalValues, { counted: true }),
  define('_!=_(A, A): bool', (a: unknown, b: unknown, counter?: WorkCounter) => equalValues(a, b, counter) !== true, {
    counted: true,
  }),
  ...comparisons('_<_', (order) => order < 0),
  ...comparisons('_<=_', (order) => order <= 0),
  ...comparisons('_>_', (order) => order > 0),
  ...comparisons('_>=_', (order) => order >= 0),
  define('!_(bool): bool', (a: boolean) => !a),
  define('-_(double): double', (a: number) => -a),
  define('-_(int): int', (a: bigint) => checkedInt(-a)),
  define('_+_(bytes, bytes): bytes', (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b])),
  define('_+_(double, double): double', (a: number, b: number) => a + b),
  define('_+_(duration, duration): duration', (a: CelDuration, b: CelDuration) => checkedDuration(a.nanos + b.nanos)),
  define('_+_(duration, timestamp): timestamp', (a: CelDuration, b: CelTime) =>
    checkedTime(a.nanos + b.nanos, b.offset),
  ),
  define('_+_(timestamp, duration): timestamp', (a: CelTime, b: CelDuration) =>
    checkedTime(a.nanos + b.nanos, a.offset),
  ),
  define('_+_(int, int): int', (a: bigint, b: bigint) => checkedInt(a + b)),
  define('_+_(list(A), list(A)): list(A)', concat),
  define('_+_(string, string): string', (a: string, b: string) => a + b),
  define('_+_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value + b.value)),
  define('_-_(double, double): double', (a: number, b: number) => a - b),
  define('_-_(duration, duration): duration', (a: CelDuration, b: CelDuration) => checkedDuration(a.nanos - b.nanos)),
  define('_-_(int, int): int', (a: bigint, b: bigint) => checkedInt(a - b)),
  define('_-_(timestamp, duration): timestamp', (a: CelTime, b: CelDuration) =>
    checkedTime(a.nanos - b.nanos, a.offset),
  ),
  define('_-_(timestamp, timestamp): duration', (a: CelTime, b: CelTime) => checkedDuration(a.nanos - b.nanos)),
  define('_-_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value - b.value)),
  define('_*_(double, double): double', (a: number, b: number) => a * b),
  define('_*_(int, int): int', (a: bigint, b: bigint) => checkedInt(a * b)),
  define('_*_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value * b.value)),
  define('_/_(double, double): double', (a: number, b: number) => a / b),
  define('_/_(int, int): int', (a: bigint, b: bigint) => checkedInt(divide(a, b))),
  define('_/_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(divide(a.value, b.value))),
  define('_%_(int, int): int', modulo),
  define('_%_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(modulo(a.value, b.value))),
  define(
    '@in(A, list(A)): bool',
    (value: unknown, list: CelList, counter?: WorkCounter) => contains(list, value, counter),
    { counted: true },
  ),
  define('@in(A, map(A, B)): bool', (key: unknown, map: CelMap) => map.holds?.(key) ?? map.get(key) !== undefined),
  ...(['bytes', 'list(A)', 'map(A, B)', 'string'] as const).flatMap((type) => {
    const call = type === 'string' ? textSize : type === 'bytes' ? bytesSize : size;
    return [define(`size(${type}): int`, call), define(`${type}.size(): int`, call)];
  }),
  define('type(A): type(A)', (a: unknown) => new CelTypeValue(typeNameOf(a))),
  define('dyn(A): dyn', (a: unknown) => a),
  define('bool(bool): bool', (a: boolean) => a),
  define('bool(string): bool', bool),
  define('bytes(bytes): bytes', (a: Uint8Array) => a),
  define('bytes(string): bytes', (a: string) => Buffer.from(a)),
  define('double(double): double', (a: number) => a),
  define('double(int): double', (a: bigint) => Number(a)),
  define('double(string): double', parseDouble),
  define('double(uint): double', (a: CelUint) => Number(a.value)),
  define('duration(duration): duration', (a: CelDuration) => a),
  define('duration(int): duration', (a: bigint) => new CelDuration(a)),
  define('duration(string): duration', parseCelDuration),
  define('int(int): int', (a: bigint) => a),
  define('int(double): int', truncatedInt),
  define('int(duration): int', (a: CelDuration) => a.nanos),
  define('int(string): int', parseInt64),
  define('int(timestamp): int', (a: CelTime) => (a.nanos - (((a.nanos % seconds) + seconds) % seconds)) / seconds),
  define('int(uint): int', (a: CelUint) => checkedInt(a.value)),
  define('string(string): string', (a: string) => a),
  define('string(bool): string', String),
  define('string(bytes): string', utf8),
  define('string(double): string', formatDouble),
  define('string(duration): string', durationText),
  define('string(int): string', String),
  define('string(timestamp): string', timestampText),
  define('string(uint): string', (a: CelUint) => String(a.value)),
  define('timestamp(timestamp): timestamp', (a: CelTime) => a),
  define('timestamp(int): timestamp', (a: bigint) => checkedTime(a * seconds)),
  define('timestamp(string): timestamp', parseTimestamp),
  define('uint(uint): uint', (a: CelUint) => a),
  define('uint(double): uint', truncatedUint),
  define('uint(int): uint', checkedUint),
  define('uint(string): uint', parseUint64),
  define('string.contains(string): bool', (a: string, b: string) => a.includes(b)),
  define('string.endsWith(string): bool', (a: string, b: string) => a.endsWith(b)),
  define('string.startsWith(string): bool', (a: string, b: string) => a.startsWith(b)),
  define('matches(string, string): bool', (text: string, pattern: string) => patternOf(pattern).matcher(text).find()),
  define('string.matches(string): bool', (text: string, pattern: string) => patternOf(pattern).matcher(text).find()),
  ...timeGetters.flatMap((name) => [
    define(`timestamp.${name}(): int`, (time: CelTime) => timePart(time, name, 'UTC')),
    define(`timestamp.${name}(string): int`, (time: CelTime, zone: string) => timePart(time, name, zone)),
  ]),
  define('duration.getHours(): int', (a: CelDuration) => a.nanos / (3600n * seconds)),
  define('duration.getMinutes(): int', (a: CelDuration) => a.nanos / (60n * seconds)),
  define('duration.getSeconds(): int', (a: CelDuration) => a.nanos / seconds),
  define('duration.getMilliseconds(): int', (a: CelDuration) => a.nanos / 1_000_000n),
];
