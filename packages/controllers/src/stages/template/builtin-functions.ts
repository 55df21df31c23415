import { goPrintf, goText, isMap, isTrue } from './go-values.ts';
import type { TemplateFunctions } from './evaluate-template.ts';

/** Functions of Go's text/template, and those of sprig that manifests use. `and` and `or` are the evaluator's own. */
export const builtinFunctions: TemplateFunctions = {
  and: () => undefined,
  or: () => undefined,
  not: (value) => !isTrue(value),
  eq: (value, ...others) => others.some((other) => isSame(value, other)),
  ne: (one, other) => !isSame(one, other),
  lt: (one, other) => compare(one, other) < 0,
  le: (one, other) => compare(one, other) <= 0,
  gt: (one, other) => compare(one, other) > 0,
  ge: (one, other) => compare(one, other) >= 0,
  len: lengthOf,
  index: (value, ...keys) => keys.reduce(itemOf, value),
  slice: (value, from, to) =>
    (typeof value === 'string' ? value : listOf(value)).slice(Number(from ?? 0), to as number | undefined),
  print: (...values) => values.map((value) => goText(value, true)).join(''),
  printf: (format, ...values) => goPrintf(String(format), values),
  println: (...values) => `${values.map((value) => goText(value, true)).join(' ')}\n`,

  dict: (...pairs) =>
    Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[String(key), pairs[at + 1]]] : []))),
  list: (...items) => items,
  default: (other: unknown, value: unknown) => (isTrue(value) ? value : other),
  coalesce: (...values) => values.find((value) => isTrue(value)),
  empty: (value) => !isTrue(value),
  ternary: (yes, no, which) => (which === true ? yes : no),
  get: (map, key) => (isMap(map) ? (map[String(key)] ?? '') : ''),
  hasKey: (map, key) => isMap(map) && Object.hasOwn(map, String(key)),
  keys: (map) => (isMap(map) ? Object.keys(map) : []),
  first: (items) => listOf(items)[0],
  last: (items) => listOf(items).at(-1),
  has: (item, items) => listOf(items).some((one) => isSame(one, item)),
  join: (separator, items) =>
    listOf(items)
      .map((item) => goText(item, true))
      .join(String(separator)),
  splitList: (separator, text) => String(text).split(String(separator)),

  quote: (...values) => values.map((value) => JSON.stringify(goText(value, true))).join(' '),
  squote: (...values) => values.map((value) => `'${goText(value, true)}'`).join(' '),
  toString: (value: unknown) => goText(value, true),
  toJson: (value) => JSON.stringify(value ?? null),
  upper: (text) => String(text).toUpperCase(),
  lower: (text) => String(text).toLowerCase(),
  trim: (text) => String(text).trim(),
  trimPrefix: (prefix, text) => {
    const all = String(text);
    return all.startsWith(String(prefix)) ? all.slice(String(prefix).length) : all;
  },
  trimSuffix: (suffix, text) => {
    const all = String(text);
    return String(suffix) !== '' && all.endsWith(String(suffix)) ? all.slice(0, -String(suffix).length) : all;
  },
  trunc: (count, text) => String(text).slice(0, Number(count)),
  replace: (before, after, text) => String(text).replaceAll(String(before), String(after)),
  contains: (part, text) => String(text).includes(String(part)),
  hasPrefix: (prefix, text) => String(text).startsWith(String(prefix)),
  hasSuffix: (suffix, text) => String(text).endsWith(String(suffix)),
  indent: (count, text) => indented(Number(count), String(text)),
  nindent: (count, text) => `\n${indented(Number(count), String(text))}`,
  b64enc: (text) => Buffer.from(String(text)).toString('base64'),
  b64dec: (text) => Buffer.from(String(text), 'base64').toString(),

  int: (value) => Math.trunc(Number(value)) || 0,
  add: (...values) => values.reduce<number>((sum, value) => sum + Number(value), 0),
  add1: (value) => Number(value) + 1,
  sub: (one, other) => Number(one) - Number(other),
  mul: (...values) => values.reduce<number>((product, value) => product * Number(value), 1),
  div: (one, other) => Math.trunc(Number(one) / Number(other)),
  mod: (one, other) => Number(one) % Number(other),
  max: (...values) => Math.max(...values.map(Number)),
  min: (...values) => Math.min(...values.map(Number)),
};

function indented(count: number, text: string): string {
  const pad = ' '.repeat(count);
  return pad + text.replaceAll('\n', `\n${pad}`);
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || one === null) return other === undefined || other === null;
  return one === other;
}

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  throw new TypeError('incompatible types for comparison');
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.length;
  if (isMap(value)) return Object.keys(value).length;
  throw new TypeError(`len of ${goText(value, true)}`);
}

function itemOf(value: unknown, key: unknown): unknown {
  if (Array.isArray(value)) {
    if (typeof key !== 'number' || key < 0 || key >= value.length)
      throw new RangeError(`index out of range: ${goText(key, true)}`);
    return value[key];
  }
  if (isMap(value)) return Object.hasOwn(value, String(key)) ? value[String(key)] : undefined;
  throw new TypeError('index of nil');
}

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw new TypeError(`${goText(value, true)} is no list`);
}
