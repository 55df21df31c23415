import { parseTree, RawNumber, RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';

const QUOTE = 0x22,
  BACKSLASH = 0x5c,
  OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d;
/** Shorter texts take less than 30 ms, however deep. */
const deepFromLetters = 512 * 1024;
/** Source: encoding/json, maxNestingDepth. */
const mostLevels = 10_000;

/**
 * `JSON.parse` for text from outside. V8 since 12.8 may read a key with an escape as another one (nodejs/node issue
 * 63785): once any object of the process has a key with a backslash in it, a later text whose key begins, as written,
 * with the same characters is read as that key. So whoever may store an object could change what others' keys are
 * read as, `k:{"type":"Ready"}` of managed fields for instance. Every key that is misread has a backslash in it: texts
 * with such a key are read again, without the native parser.
 * What nests deeper than Go reads is refused before: V8 keeps a record for each level, which takes a
 * fifth of a second for four million of them.
 * @throws SyntaxError, as JSON.parse does
 */
export function parseJSON(text: string): unknown {
  if (text.length >= deepFromLetters && nestsDeeperThan(text, mostLevels)) throw new SyntaxError('exceeded max depth');
  const value: unknown = JSON.parse(text);
  return mayBeMisread(text, value) ? readExactly(text) : value;
}

/** Whether objects and lists of a text, valid or not, nest deeper than that: a look that costs a third of parsing. */
function nestsDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++;
    } else if (c === OPEN_BRACKET || c === OPEN_BRACE) {
      if (++depth > levels) return true;
    } else if (c === CLOSE_BRACKET || c === CLOSE_BRACE) depth--;
  }
  return false;
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
