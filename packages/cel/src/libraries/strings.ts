import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { displayText } from '../values/display.ts';
import { CelError, ItemList, codePoints, itemsOf } from '../values/values.ts';
import type { CelList } from '../values/values.ts';
import { formatText } from './format-text.ts';

function outOfRange(index: bigint): CelError {
  return new CelError(`index out of range: ${index}`);
}

/** Where the character of a number is in a text; `length` where there are fewer. */
function placeOf(text: string, index: bigint): number {
  let place = 0;
  for (let left = index; left > 0n && place < text.length;) {
    // In strides, so that large numbers are not counted one by one.
    const stride = left > 1_000_000n ? 1_000_000 : Number(left);
    let done = 0;
    for (; done < stride && place < text.length; done++) place += isPair(text, place) ? 2 : 1;
    left -= BigInt(done);
  }
  return place;
}

function isPair(text: string, place: number): boolean {
  const unit = text.charCodeAt(place);
  return unit >= 0xd800 && unit < 0xdc00 && place + 1 < text.length;
}

/** Where a part is in a text, by characters, from an offset on; -1 if nowhere. */
function indexOf(text: string, part: string, offset: bigint): bigint {
  if (part === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const place = text.indexOf(part, placeOf(text, offset));
  return place < 0 ? -1n : BigInt(codePoints(text, place));
}

/** Where a part is last in a text, at an offset or before it. */
function lastIndexOf(text: string, part: string, offset: bigint): bigint {
  if (part === '') return offset;
  if (offset < 0n) throw outOfRange(offset);
  const from = placeOf(text, offset);
  if (from >= text.length) return -1n;
  const place = text.lastIndexOf(part, from);
  return place < 0 ? -1n : BigInt(codePoints(text, place));
}

function lastIndexAnywhere(text: string, part: string): bigint {
  const length = BigInt(codePoints(text));
  if (part === '') return length;
  return Buffer.byteLength(text) < Buffer.byteLength(part) ? -1n : lastIndexOf(text, part, length - 1n);
}

function charAt(text: string, index: bigint): string {
  const place = placeOf(text, index);
  if (index < 0n || (place === text.length && index > BigInt(codePoints(text)))) throw outOfRange(index);
  return text.slice(place, place + (isPair(text, place) ? 2 : 1));
}

function substring(text: string, start: bigint, end?: bigint): string {
  const length = BigInt(codePoints(text));
  if (end !== undefined && start > end) throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  if (start < 0n || start > length) throw outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) throw outOfRange(end);
  return text.slice(placeOf(text, start), end === undefined ? undefined : placeOf(text, end));
}

/** Replaces as Go's strings.Replace: all for a negative count, and between all characters for an empty text. */
function replace(
  text: string,
  { from, to, count }: { readonly from: string; readonly to: string; readonly count: bigint },
): string {
  let left = count < 0n ? Infinity : Number(count);
  if (from === to || left === 0) return text;
  if (from === '') {
    let made = '';
    for (const character of text) made += (left-- > 0 ? to : '') + character;
    return left > 0 ? made + to : made;
  }
  let made = '',
    at = 0;
  for (let next = text.indexOf(from); next >= 0 && left > 0; next = text.indexOf(from, at), left--) {
    made += text.slice(at, next) + to;
    at = next + from.length;
  }
  return made + text.slice(at);
}

/** Splits as Go's strings.SplitN: the last part is what remains. */
function split(text: string, separator: string, count: bigint): ItemList {
  if (count === 0n) return new ItemList([]);
  const parts = separator === '' ? Array.from(text) : text.split(separator);
  if (count < 0n || BigInt(parts.length) <= count) return new ItemList(parts);
  const kept = Number(count) - 1;
  return new ItemList([...parts.slice(0, kept), parts.slice(kept).join(separator)]);
}

function join(list: CelList, separator: string): string {
  return itemsOf(list)
    .map((item) => {
      if (typeof item !== 'string') throw new CelError(`join: invalid input: ${displayText(item)}`);
      return item;
    })
    .join(separator);
}

const quoted: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/**
 * What Go's unicode.IsSpace takes for white space: not the byte order mark, which JavaScript trims, but the next line
 * character.
 */
const whiteSpace = /^\p{White_Space}$/u;

function trimmed(text: string): string {
  let start = 0,
    end = text.length;
  while (start < end && whiteSpace.test(text.charAt(start))) start++;
  while (end > start && whiteSpace.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Texts (cel-go ext/strings.go, version 2, as 1.36 has it). */
export const stringFunctions: readonly CelFunction[] = [
  define('string.charAt(int): string', charAt),
  define('string.indexOf(string): int', (text: string, part: string) => indexOf(text, part, 0n)),
  define('string.indexOf(string, int): int', indexOf),
  define('string.lastIndexOf(string): int', lastIndexAnywhere),
  define('string.lastIndexOf(string, int): int', lastIndexOf),
  define('string.lowerAscii(): string', (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  define('string.upperAscii(): string', (text: string) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
  define('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, { from, to, count: -1n }),
  ),
  define('string.replace(string, string, int): string', (text: string, from: string, to: string, count: bigint) =>
    replace(text, { from, to, count }),
  ),
  define('string.split(string): list(string)', (text: string, separator: string) => split(text, separator, -1n)),
  define('string.split(string, int): list(string)', split),
  define('string.substring(int): string', substring),
  define('string.substring(int, int): string', substring),
  define('string.trim(): string', trimmed),
  define('string.format(list(dyn)): string', (text: string, args: CelList) => formatText(text, args)),
  define(
    'strings.quote(string): string',
    (text: string) =>
      // oxlint-disable-next-line no-control-regex -- the characters that cel-go escapes
      `"${text.toWellFormed().replace(/[\x07\b\f\n\r\t\v\\"]/g, (character) => quoted.get(character) ?? character)}"`,
  ),
  define('list(string).join(): string', (list: CelList) => join(list, '')),
  define('list(string).join(string): string', join),
];
