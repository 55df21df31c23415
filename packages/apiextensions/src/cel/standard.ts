import { RE2JS } from 're2js';
import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { formatCelDuration, parseCelDuration, parseTimestamp, timestampText, timeParts } from './time.ts';
import { CelDuration, CelError, CelTime, CelTypeValue, ItemList, checkedInt, checkedUint, compareValues, equalValues, itemsOf, typeNameOf } from './values.ts';
import type { CelList, CelMap, CelUint } from './values.ts';

const whole = (value: number): bigint => {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 63) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
};
const textInt = (text: string, kind: string): bigint => {
  if (!/^[+-]?\d+$/.test(text)) throw new CelError(`type conversion error from 'string' to '${kind}'`);
  return BigInt(text.replace('+', ''));
};
const divide = (a: bigint, b: bigint): bigint => { if (b === 0n) throw new CelError('division by zero'); return a / b; };
const modulo = (a: bigint, b: bigint): bigint => { if (b === 0n) throw new CelError('modulus by zero'); return a % b; };
const patterns = new Map<string, RE2JS>();

/** A pattern, compiled once. @throws CelError */
export function pattern(text: string): RE2JS {
  let compiled = patterns.get(text);
  if (compiled !== undefined) return compiled;
  try { compiled = RE2JS.compile(text); } catch (error) { throw new CelError(error instanceof Error ? error.message : String(error)); }
  if (patterns.size >= 1000) patterns.clear();
  patterns.set(text, compiled);
  return compiled;
}

const codePoints = (text: string): number => { let n = 0; for (const _ of text) n++; return n; };
const size = (of: CelList | CelMap): bigint => BigInt(of.size);
const ordered = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration'];
const numeric = ['int', 'uint', 'double'];
const orders = [...ordered.map((name) => [name, name]), ...numeric.flatMap((a) => numeric.filter((b) => b !== a).map((b) => [a, b]))];
const comparisons = (operator: string, holds: (order: number) => boolean): CelFunction[] =>
  orders.map(([a, b]) => define(`${operator}(${a ?? ''}, ${b ?? ''}): bool`, (x: unknown, y: unknown) => { const order = compareValues(x, y); return order !== undefined && holds(order); }));
const seconds = 1_000_000_000n;

/** Operators (under cel-go's names) and functions of the language itself. */
export const standardFunctions: readonly CelFunction[] = [
  define('_==_(A, A): bool', (a: unknown, b: unknown) => equalValues(a, b)),
  define('_!=_(A, A): bool', (a: unknown, b: unknown) => !equalValues(a, b)),
  ...comparisons('_<_', (order) => order < 0), ...comparisons('_<=_', (order) => order <= 0),
  ...comparisons('_>_', (order) => order > 0), ...comparisons('_>=_', (order) => order >= 0),
  define('!_(bool): bool', (a: boolean) => !a),
  define('-_(int): int', (a: bigint) => checkedInt(-a)), define('-_(double): double', (a: number) => -a),
  define('_+_(int, int): int', (a: bigint, b: bigint) => checkedInt(a + b)), define('_+_(double, double): double', (a: number, b: number) => a + b),
  define('_+_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value + b.value)),
  define('_+_(string, string): string', (a: string, b: string) => a + b),
  define('_+_(bytes, bytes): bytes', (a: Uint8Array, b: Uint8Array) => Buffer.concat([a, b])),
  define('_+_(list(A), list(A)): list(A)', concat),
  define('_+_(duration, duration): duration', (a: CelDuration, b: CelDuration) => new CelDuration(checkedInt(a.nanos + b.nanos))),
  define('_+_(timestamp, duration): timestamp', (a: CelTime, b: CelDuration) => new CelTime(a.nanos + b.nanos)),
  define('_+_(duration, timestamp): timestamp', (a: CelDuration, b: CelTime) => new CelTime(a.nanos + b.nanos)),
  define('_-_(int, int): int', (a: bigint, b: bigint) => checkedInt(a - b)), define('_-_(double, double): double', (a: number, b: number) => a - b),
  define('_-_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value - b.value)),
  define('_-_(duration, duration): duration', (a: CelDuration, b: CelDuration) => new CelDuration(checkedInt(a.nanos - b.nanos))),
  define('_-_(timestamp, duration): timestamp', (a: CelTime, b: CelDuration) => new CelTime(a.nanos - b.nanos)),
  define('_-_(timestamp, timestamp): duration', (a: CelTime, b: CelTime) => new CelDuration(checkedInt(a.nanos - b.nanos))),
  define('_*_(int, int): int', (a: bigint, b: bigint) => checkedInt(a * b)), define('_*_(double, double): double', (a: number, b: number) => a * b),
  define('_*_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(a.value * b.value)),
  define('_/_(int, int): int', (a: bigint, b: bigint) => checkedInt(divide(a, b))), define('_/_(double, double): double', (a: number, b: number) => a / b),
  define('_/_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(divide(a.value, b.value))),
  define('_%_(int, int): int', modulo), define('_%_(uint, uint): uint', (a: CelUint, b: CelUint) => checkedUint(modulo(a.value, b.value))),
  define('@in(A, list(A)): bool', (a: unknown, list: CelList) => { for (let i = 0; i < list.size; i++) if (equalValues(a, list.at(i))) return true; return false; }),
  define('@in(A, map(A, B)): bool', (a: unknown, map: CelMap) => map.get(a) !== undefined),
  define('size(string): int', (a: string) => BigInt(codePoints(a))), define('size(bytes): int', (a: Uint8Array) => BigInt(a.length)),
  define('size(list(A)): int', size), define('size(map(A, B)): int', size),
  define('string.size(): int', (a: string) => BigInt(codePoints(a))), define('bytes.size(): int', (a: Uint8Array) => BigInt(a.length)),
  define('list(A).size(): int', size), define('map(A, B).size(): int', size),
  define('string.startsWith(string): bool', (a: string, b: string) => a.startsWith(b)), define('string.endsWith(string): bool', (a: string, b: string) => a.endsWith(b)),
  define('string.contains(string): bool', (a: string, b: string) => a.includes(b)),
  define('string.matches(string): bool', (a: string, b: string) => pattern(b).matcher(a).find()), define('matches(string, string): bool', (a: string, b: string) => pattern(b).matcher(a).find()),
  define('type(A): type(A)', (a: unknown) => new CelTypeValue(typeNameOf(a))), define('dyn(A): dyn', (a: unknown) => a),
  define('int(int): int', (a: bigint) => a), define('int(uint): int', (a: CelUint) => checkedInt(a.value)), define('int(double): int', (a: number) => whole(a)),
  define('int(string): int', (a: string) => checkedInt(textInt(a, 'int'))), define('int(timestamp): int', (a: CelTime) => a.nanos / seconds), define('int(duration): int', (a: CelDuration) => a.nanos),
  define('uint(uint): uint', (a: CelUint) => a), define('uint(int): uint', (a: bigint) => checkedUint(a)), define('uint(double): uint', (a: number) => checkedUint(whole(a))),
  define('uint(string): uint', (a: string) => checkedUint(textInt(a, 'uint'))),
  define('double(double): double', (a: number) => a), define('double(int): double', (a: bigint) => Number(a)), define('double(uint): double', (a: CelUint) => Number(a.value)),
  define('double(string): double', (a: string) => { const n = a.trim() === '' ? NaN : Number(a); if (Number.isNaN(n) && a !== 'NaN') throw new CelError("type conversion error from 'string' to 'double'"); return n; }),
  define('bool(bool): bool', (a: boolean) => a),
  define('bool(string): bool', (a: string) => {
    if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(a)) return true;
    if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(a)) return false;
    throw new CelError("type conversion error from 'string' to 'bool'");
  }),
  define('bytes(bytes): bytes', (a: Uint8Array) => a), define('bytes(string): bytes', (a: string) => Buffer.from(a)),
  define('string(string): string', (a: string) => a), define('string(int): string', String), define('string(uint): string', (a: CelUint) => String(a.value)),
  define('string(double): string', (a: number) => (a === Infinity ? '+Inf' : a === -Infinity ? '-Inf' : String(a))), define('string(bool): string', String),
  define('string(bytes): string', (a: Uint8Array) => { try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(a); } catch { throw new CelError('invalid UTF-8 in bytes, cannot convert to string'); } }),
  define('string(timestamp): string', (a: CelTime) => timestampText(a)), define('string(duration): string', (a: CelDuration) => formatCelDuration(a)),
  define('timestamp(string): timestamp', (a: string) => parseTimestamp(a)), define('timestamp(timestamp): timestamp', (a: CelTime) => a), define('timestamp(int): timestamp', (a: bigint) => new CelTime(a * seconds)),
  define('duration(string): duration', (a: string) => parseCelDuration(a)), define('duration(duration): duration', (a: CelDuration) => a), define('duration(int): duration', (a: bigint) => new CelDuration(a)),
  ...(['getFullYear', 'getMonth', 'getDate', 'getDayOfMonth', 'getDayOfWeek', 'getDayOfYear', 'getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'] as const).flatMap((name) => [
    define(`timestamp.${name}(): int`, (a: CelTime) => timeParts(a, 'UTC')[name]), define(`timestamp.${name}(string): int`, (a: CelTime, zone: string) => timeParts(a, zone)[name]),
  ]),
  define('duration.getHours(): int', (a: CelDuration) => a.nanos / (3600n * seconds)), define('duration.getMinutes(): int', (a: CelDuration) => a.nanos / (60n * seconds)),
  define('duration.getSeconds(): int', (a: CelDuration) => a.nanos / seconds), define('duration.getMilliseconds(): int', (a: CelDuration) => (a.nanos / 1_000_000n) % 1000n),
];

/** Lists one after the other; in `set` and `map` lists, items of the second replace those that they belong to. */
function concat(a: CelList, b: CelList): CelList {
  const { keyOf } = a;
  if (keyOf === undefined) return new ItemList([...itemsOf(a), ...itemsOf(b)]);
  const merged = new Map(itemsOf(a).map((item) => [keyOf(item), item]));
  for (const item of itemsOf(b)) merged.set(keyOf(item), item);
  return Object.assign(new ItemList([...merged.values()]), { keyOf });
}
