import { parseTree, RawNumber, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';

const QUOTE = 0x22,
  BACKSLASH = 0x5c;

/**
 * `JSON.parse` for text from outside. V8 since 12.8 may read a key with an escape as another one (nodejs/node issue
 * 63785): once any object of the process has a key with a backslash in it, a later text whose key begins, as written,
 * with the same characters is read as that key. So whoever may store an object could change what others' keys are
 * read as, `k:{"type":"Ready"}` of managed fields for instance. Every key that is misread has a backslash in it: texts
 * with such a key are read again, without the native parser.
 * @throws SyntaxError, as JSON.parse does
 */
export function parseJSON(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayBeMisread(text, value) ? readExactly(text) : value;
}

/** Whether `JSON.parse(text)`, which is `value`, may have misread a key. */
export function mayBeMisread(text: string, value: unknown): boolean {
  return hasEscapedKey(text) && hasBackslashKey(value);
}

/** Whether a key of valid JSON has an escape. Most texts have no backslash, which is found out at once. */
export function hasEscapedKey(text: string): boolean {
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at)) {
    // Only strings have backslashes: on to the end of this one.
    for (let c = BACKSLASH; c !== QUOTE && at < text.length; c = text.charCodeAt(at)) at += c === BACKSLASH ? 2 : 1;
    at++;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text[at] === ':') return true;
  }
  return false;
}

/** Whether an object within the value has a key with a backslash: rightly, or because it was misread. */
function hasBackslashKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasBackslashKey);
  for (const key in value)
    if (key.includes('\\') || hasBackslashKey((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** The same as JSON.parse, of valid JSON. */
function readExactly(text: string): unknown {
  return plain(parseTree(text));
}

function plain(raw: RawValue): unknown {
  if (raw instanceof RawNumber) return Number(raw.text);
  if (Array.isArray(raw)) return raw.map(plain);
  if (!(raw instanceof RawObject)) return raw;
  return Object.fromEntries(raw.keys.map((key, i) => [key, plain(raw.values[i] ?? null)]));
}

function isSpace(c: number): boolean {
  return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
}
