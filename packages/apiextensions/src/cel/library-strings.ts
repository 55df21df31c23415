import { define } from './functions.ts';
import type { CelFunction } from './functions.ts';
import { pattern } from './standard.ts';
import { CelError, ItemList, itemsOf } from './values.ts';
import type { CelList } from './values.ts';

function outOfRange(index: bigint): never { throw new CelError(`index out of range: ${index}`); }

function indexOf(text: string, wanted: string, from = 0n): bigint {
  const points = Array.from(text), search = Array.from(wanted);
  if (wanted === '') return from;
  if (from < 0n || from > BigInt(points.length)) outOfRange(from);
  for (let i = Number(from); i + search.length <= points.length; i++) if (search.every((point, j) => points[i + j] === point)) return BigInt(i);
  return -1n;
}

function lastIndexOf(text: string, wanted: string, from?: bigint): bigint {
  const points = Array.from(text), search = Array.from(wanted);
  if (from !== undefined && (from < 0n || from > BigInt(points.length))) outOfRange(from);
  if (wanted === '') return from ?? BigInt(points.length);
  for (let i = Math.min(points.length - search.length, from === undefined ? Infinity : Number(from)); i >= 0; i--) if (search.every((point, j) => points[i + j] === point)) return BigInt(i);
  return -1n;
}

function substring(text: string, from: bigint, to?: bigint): string {
  const points = Array.from(text);
  const end = to ?? BigInt(points.length);
  if (from < 0n || from > BigInt(points.length)) outOfRange(from);
  if (end < 0n || end > BigInt(points.length)) outOfRange(end);
  if (from > end) throw new CelError(`invalid substring range. start: ${from}, end: ${end}`);
  return points.slice(Number(from), Number(end)).join('');
}

function replace(text: string, [old, by, limit]: readonly [string, string, bigint]): string {
  if (limit < 0n) return text.replaceAll(old, () => by);
  let from = 0, made = '';
  for (let i = 0n; i < limit; i++) {
    const at = text.indexOf(old, from);
    if (at < 0 || (old === '' && from >= text.length)) break;
    made += text.slice(from, at) + by;
    from = at + old.length;
  }
  return made + text.slice(from);
}

function split(text: string, separator: string, limit = -1n): ItemList {
  if (limit === 0n) return new ItemList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (limit < 0n || parts.length <= Number(limit)) return new ItemList(parts);
  const kept = Number(limit) - 1;
  return new ItemList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function charAt(text: string, index: bigint): string {
  const points = Array.from(text);
  if (index < 0n || index > BigInt(points.length)) outOfRange(index);
  return points[Number(index)] ?? '';
}

function findAll(text: string, regexp: string, limit = -1n): ItemList {
  const found: string[] = [];
  const matcher = pattern(regexp).matcher(text);
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return new ItemList(found);
}

const texts = (list: CelList): string[] => itemsOf(list) as string[];
const lower = (text: string): string => text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
const upper = (text: string): string => text.replace(/[a-z]+/g, (part) => part.toUpperCase());

/** Texts of cel-go's strings extension (version 0) and apiserver/cel/library/regex.go (1.36). Positions count code points. */
export const stringFunctions: readonly CelFunction[] = [
  define('string.charAt(int): string', charAt),
  define('string.indexOf(string): int', (text: string, wanted: string) => indexOf(text, wanted)), define('string.indexOf(string, int): int', indexOf),
  define('string.lastIndexOf(string): int', (text: string, wanted: string) => lastIndexOf(text, wanted)), define('string.lastIndexOf(string, int): int', lastIndexOf),
  define('string.lowerAscii(): string', lower), define('string.upperAscii(): string', upper),
  define('string.replace(string, string): string', (text: string, old: string, by: string) => replace(text, [old, by, -1n])),
  define('string.replace(string, string, int): string', (text: string, old: string, by: string, limit: bigint) => replace(text, [old, by, limit])),
  define('string.split(string): list(string)', (text: string, by: string) => split(text, by)), define('string.split(string, int): list(string)', split),
  define('string.substring(int): string', (text: string, from: bigint) => substring(text, from)), define('string.substring(int, int): string', substring),
  define('string.trim(): string', (text: string) => text.trim()),
  define('list(string).join(): string', (list: CelList) => texts(list).join('')), define('list(string).join(string): string', (list: CelList, by: string) => texts(list).join(by)),
  define('string.find(string): string', (text: string, regexp: string) => { const matcher = pattern(regexp).matcher(text); return matcher.find() ? matcher.group() ?? '' : ''; }),
  define('string.findAll(string): list(string)', (text: string, regexp: string) => findAll(text, regexp)), define('string.findAll(string, int): list(string)', findAll),
];
