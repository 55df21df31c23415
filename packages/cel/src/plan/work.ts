import { CelOptional, EntryMap, GrowingList, GrowingMap, isList, isMap, itemsOf } from '../values/values.ts';
import type { CelList, CelMap } from '../values/values.ts';

/**
 * Units of work that are worth one of cost: as many characters are looked at in the time that one step takes. What the
 * reference charges for stays far below.
 */
export const workPerCost = 30;
/** Units that nobody counts: a millisecond or two. What an evaluation costs is the reference's up to there. */
export const freeWork = 1_000_000;

/** Of what is read: a character, a byte. */
const READ = 1;
/** Of each item of a list, and entry of a map. */
const ITEM = 4;
/** Of each character that is made, and each item: it takes memory until the evaluation is over. */
const MADE = 6;
const MADE_ITEM = 24;
/** Of each character of a text where a pattern may be found at each. */
const MATCH = 60;

/**
 * What a call works on and makes, in units, before it is made. The reference charges one for much of it: to add lists,
 * to take a character out of a text, or nothing for what is made (`replace`, `flatten`). What is compared is counted
 * meanwhile (`equalValues`).
 */
export function workOf(name: string, args: readonly unknown[]): number {
  const [first, second, third] = args;
  if (atOnce.has(name)) return READ;
  if (name === 'size' && isList(first)) return READ;
  if (name === 'size' && isMap(first)) return listing(first);
  if (name === '@in') return isMap(second) ? listing(second) : READ;
  let units = 0;
  for (const arg of args) units += read(arg);
  switch (name) {
    case '_+_':
      // A comprehension adds to what it has.
      return isList(first) && !(first instanceof GrowingList) ? units * (MADE_ITEM / ITEM) : units;
    case 'lists.range':
      return typeof first === 'bigint' && first > 0n ? Number(first) * MADE_ITEM : units;
    case 'replace':
      return units + MADE * replaced(first, second, third);
    case 'join':
      return units + MADE * joined(first, second);
    case 'format':
      return units + MADE * (deepUnits(second) + digitsIn(first));
    case 'findAll':
      return typeof first === 'string' ? first.length * MATCH : units;
    case 'charAt':
    case 'substring':
      return units * 2;
    case 'split':
      return second === '' ? units * MADE_ITEM : units;
    case 'flatten':
      return isList(first) ? MADE_ITEM * flattened(first, typeof second === 'bigint' ? Number(second) : 1) : units;
    case 'lastIndexOf':
    case 'indexOf':
      if (typeof first !== 'string') return units + deepUnits(first) + deepUnits(second);
      return typeof second === 'string' ? units + first.length + tried(name, first, second) : units;
    case 'isSorted':
    case 'sum':
    case 'min':
    case 'max':
      return units + (isList(first) ? deepUnits(first) : 0);
    default:
      return units;
  }
}

/** Functions that pass a value on, or take one out, whatever is in it. */
const atOnce: ReadonlySet<string> = new Set(['dyn', 'type', 'first', 'last', 'optional.of', 'hasValue', 'value']);

/** Maps of JSON that have been asked for their size, or what their first entry is: they list their keys once. */
const listed = new WeakSet<CelMap>();

function listing(map: CelMap): number {
  if (map instanceof EntryMap || map instanceof GrowingMap || listed.has(map)) return READ;
  listed.add(map);
  return map.size * ITEM;
}

function read(value: unknown): number {
  if (typeof value === 'string') return value.length * READ;
  if (typeof value !== 'object' || value === null) return 0;
  if (value instanceof Uint8Array) return value.length * READ;
  if (value instanceof GrowingList || value instanceof GrowingMap) return 0;
  return isList(value) || isMap(value) ? value.size * ITEM : 0;
}

/** Of lists and maps that have others in them; values that are in many places are counted in each, once looked at. */
const known = new WeakMap<object, number>();

/** What a value has in it, all told, in units: a list of itself twice, 60 times over, is 2^60 of them. */
function deepUnits(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return read(value) + READ;
  if (value instanceof CelOptional) return value.present ? deepUnits(value.value) : READ;
  if (!isList(value) && !isMap(value)) return fieldsOf(value);
  const before = known.get(value);
  if (before !== undefined) return before;
  let units = ITEM;
  if (isList(value)) for (let i = 0; i < value.size; i++) units += deepUnits(value.at(i));
  else for (const key of value.keys()) units += deepUnits(key) + deepUnits(value.get(key));
  if (!(value instanceof GrowingList) && !(value instanceof GrowingMap)) known.set(value, units);
  return units;
}

/** Of a message of mutations, which nothing but other messages and values is in. */
function fieldsOf(value: object): number {
  if (!('fields' in value) || !(value.fields instanceof Map)) return READ;
  const before = known.get(value);
  if (before !== undefined) return before;
  let units = ITEM;
  for (const field of value.fields.values()) units += deepUnits(field);
  known.set(value, units);
  return units;
}

/** What a result may have in it to become part of an object, in units: more than the largest body has. */
const mostKept = 4_000_000;

/** Whether a result is larger than any object may be: lists of lists that are in it many times. */
export function isTooLargeToKeep(result: unknown): boolean {
  return deepUnits(result) > mostKept;
}

/** Of a pattern: so many characters are looked at wherever the first of them is. */
const fewCharacters = 8;

/**
 * What a search reads besides the text: wherever the end of a pattern that it begins with (the start, from behind) is,
 * it may go through all of the pattern in vain.
 */
function tried(name: 'indexOf' | 'lastIndexOf', text: string, pattern: string): number {
  if (pattern.length <= fewCharacters || pattern.length > text.length) return 0;
  const end = name === 'indexOf' ? pattern.slice(-fewCharacters) : pattern.slice(0, fewCharacters);
  let places = 0;
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) places++;
  return places * pattern.length;
}

/** Characters that take the place of others. */
function replaced(text: unknown, from: unknown, to: unknown): number {
  if (typeof text !== 'string' || typeof from !== 'string' || typeof to !== 'string') return 0;
  if (from === '') return text.length + (text.length + 1) * to.length;
  let count = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) count++;
  return text.length + count * to.length;
}

function joined(list: unknown, separator: unknown): number {
  if (!isList(list)) return 0;
  let length = typeof separator === 'string' ? separator.length * list.size : 0;
  for (const item of itemsOf(list)) if (typeof item === 'string') length += item.length;
  return length;
}

function flattened(list: CelList, depth: number): number {
  if (depth <= 0) return list.size;
  let size = 0;
  for (const item of itemsOf(list)) size += isList(item) ? (depth === 1 ? item.size : deepUnits(item)) : 1;
  return size;
}

/** Digits that the clauses of a format ask for behind the point. */
function digitsIn(format: unknown): number {
  if (typeof format !== 'string') return 0;
  let digits = 0;
  for (let at = format.indexOf('%.'); at >= 0; at = format.indexOf('%.', at + 2)) {
    const asked = Number.parseInt(format.slice(at + 2, at + 22), 10);
    if (asked > 0) digits += asked;
  }
  return digits;
}
