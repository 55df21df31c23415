import { END, isBlank, isBreakOrEnd, isDecimalDigit, isLineBreak, isSpaceOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/*
 * Scalars as go-yaml (v2.4) reads them. Each function starts at the scalar's first character and ends behind its
 * last one; every character is looked at a bounded number of times.
 */

/** Characters that end a plain scalar inside `[…]` and `{…}`, by code. */
const FLOW_INDICATORS = Uint8Array.from({ length: 128 }, (_, code) =>
  ',?[]{}'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** What stands between two parts of a flow scalar: blanks on one line, or line breaks. */
class Gap {
  blanks = '';
  /** The first line break, and those behind it. */
  first = '';
  rest = '';

  /** The gap as it counts in the value: one line feed is a space. */
  folded(): string {
    if (this.first === '') return this.blanks;
    if (this.first !== '\n') return this.first + this.rest;
    return this.rest === '' ? ' ' : this.rest;
  }

  clear(): void {
    this.blanks = this.first = this.rest = '';
  }
}

/** A plain scalar, and whether it ended behind a line break (a key may follow then). */
export function scanPlain(cursor: Cursor, indent: number, inFlow: boolean): { value: string; brokeLine: boolean } {
  const { text } = cursor;
  const gap = new Gap();
  let parts: string[] | undefined;
  let value = '';
  for (;;) {
    const c = cursor.code();
    if (c === 0x23 || cursor.isDocumentMark()) break;
    const start = cursor.at;
    let at = start;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code > 0x7d ? isLineBreak(code) : code <= 0x20 ? isSpaceOrEnd(code) : false) break;
      if (code === 0x3a && isSpaceOrEnd(at + 1 < text.length ? text.charCodeAt(at + 1) : END)) break;
      if (inFlow && FLOW_INDICATORS[code] === 1) break;
    }
    cursor.at = at;
    if (at > start) {
      const part = text.slice(start, at);
      if (value === '') value = part;
      else {
        parts ??= [value];
        parts.push(gap.folded(), part);
      }
      gap.clear();
    }
    if (!isBlank(cursor.code()) && !isLineBreak(cursor.code())) break;
    skipGap(cursor, gap, indent);
    if (!inFlow && cursor.column < indent) break;
  }
  return { value: parts === undefined ? value : parts.join(''), brokeLine: gap.first !== '' };
}

/** Reads blanks and breaks; `indent` is where tabs are allowed on further lines, undefined where they always are. */
function skipGap(cursor: Cursor, gap: Gap, indent: number | undefined): void {
  const { text } = cursor;
  let rest: string[] | undefined;
  for (;;) {
    const c = cursor.code();
    if (isBlank(c)) {
      if (gap.first !== '') {
        if (indent !== undefined && c === 0x09 && cursor.column < indent)
          throw cursor.refuse('found a tab character that violates indentation');
        cursor.at++;
      } else {
        const start = cursor.at;
        cursor.skipBlanks();
        gap.blanks += text.slice(start, cursor.at);
      }
    } else if (isLineBreak(c)) {
      if (gap.first === '') {
        gap.blanks = '';
        gap.first = cursor.readBreak();
      } else (rest ??= []).push(cursor.readBreak());
    } else break;
  }
  if (rest !== undefined) gap.rest += rest.join('');
}

/** A quoted scalar. */
export function scanQuoted(cursor: Cursor): string {
  const quote = cursor.code();
  const { text } = cursor;
  const gap = new Gap();
  const parts: string[] = [];
  cursor.at++;
  for (;;) {
    if (cursor.isDocumentMark()) throw cursor.refuse('found unexpected document indicator');
    if (cursor.code() === END) throw cursor.refuse('found unexpected end of stream');
    let start = cursor.at;
    let continued = false;
    for (;;) {
      const c = cursor.code();
      if (c === quote) {
        if (quote === 0x22 || cursor.code(1) !== 0x27) break;
        cursor.at++;
        parts.push(text.slice(start, cursor.at));
        start = ++cursor.at;
      } else if (c === 0x5c && quote === 0x22) {
        if (cursor.at > start) parts.push(text.slice(start, cursor.at));
        cursor.at++;
        if (isLineBreak(cursor.code())) {
          cursor.skipBreak();
          continued = true;
          start = cursor.at;
          break;
        }
        parts.push(readEscape(cursor));
        start = cursor.at;
      } else if (c <= 0x20 || c > 0x7e ? isSpaceOrEnd(c) : false) break;
      else cursor.at++;
    }
    if (cursor.at > start) parts.push(text.slice(start, cursor.at));
    if (cursor.code() === quote) break;
    if (continued) {
      // As after a line break that is none.
      cursor.skipBlanks();
      if (!isLineBreak(cursor.code())) continue;
      const breaks: string[] = [];
      for (let c = cursor.code(); isBlank(c) || isLineBreak(c); c = cursor.code())
        if (isBlank(c)) cursor.at++;
        else breaks.push(cursor.readBreak());
      parts.push(breaks.join(''));
      continue;
    }
    skipGap(cursor, gap, undefined);
    parts.push(gap.folded());
    gap.clear();
  }
  cursor.at++;
  return parts.length === 1 ? (parts[0] ?? '') : parts.join('');
}

const ESCAPES = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);
const CODE_LENGTHS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);
const HEX = /^[0-9a-fA-F]+$/;

/** What an escape stands for; the cursor is behind its backslash. */
function readEscape(cursor: Cursor): string {
  const c = cursor.text[cursor.at] ?? '';
  const plain = ESCAPES.get(c);
  const length = CODE_LENGTHS.get(c);
  if (plain === undefined && length === undefined) {
    cursor.at--;
    throw cursor.refuse('found unknown escape character');
  }
  cursor.at++;
  if (length === undefined) return plain ?? '';
  const digits = cursor.text.slice(cursor.at, cursor.at + length);
  if (digits.length < length || !HEX.test(digits)) throw cursor.refuse('did not find expected hexdecimal number');
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    throw cursor.refuse('found invalid Unicode character escape code');
  cursor.at += length;
  return String.fromCodePoint(code);
}

/** What happens to line breaks at the end of a block scalar. */
type Chomping = 'clip' | 'keep' | 'strip';

/** A literal (`|`) or folded (`>`) scalar; `parentIndent` is that of the block it stands in. */
export function scanBlock(cursor: Cursor, parentIndent: number): string {
  const literal = cursor.code() === 0x7c;
  cursor.at++;
  let chomping = readChomping(cursor);
  const increment = readIncrement(cursor);
  if (chomping === undefined && increment > 0) chomping = readChomping(cursor);
  cursor.skipBlanks();
  if (cursor.code() === 0x23) cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) throw cursor.refuse('did not find expected comment or line break');
  cursor.skipBreak();

  const breaks: string[] = [];
  let indent = increment === 0 ? 0 : Math.max(parentIndent, 0) + increment;
  const most = scanIndentation(cursor, indent, breaks);
  if (indent === 0) indent = Math.max(most, parentIndent + 1, 1);
  const parts: string[] = [];
  let lastBreak = '';
  let leadingBlank = false;
  while (cursor.column === indent && cursor.code() !== END) {
    const blank = isBlank(cursor.code());
    if (!literal && !leadingBlank && !blank && lastBreak === '\n') {
      if (breaks.length === 0) parts.push(' ');
    } else parts.push(lastBreak);
    for (const one of breaks) parts.push(one);
    breaks.length = 0;
    leadingBlank = blank;
    const start = cursor.at;
    cursor.skipLine();
    parts.push(cursor.text.slice(start, cursor.at));
    lastBreak = isLineBreak(cursor.code()) ? cursor.readBreak() : '';
    scanIndentation(cursor, indent, breaks);
  }
  if (chomping !== 'strip') parts.push(lastBreak);
  if (chomping === 'keep') for (const one of breaks) parts.push(one);
  return parts.join('');
}

function readChomping(cursor: Cursor): Chomping | undefined {
  const c = cursor.code();
  if (c !== 0x2b && c !== 0x2d) return undefined;
  cursor.at++;
  return c === 0x2b ? 'keep' : 'strip';
}

/** The indentation indicator, 0 where there is none. */
function readIncrement(cursor: Cursor): number {
  const c = cursor.code();
  if (!isDecimalDigit(c)) return 0;
  if (c === 0x30) throw cursor.refuse('found an indentation indicator equal to 0');
  cursor.at++;
  return c - 0x30;
}

/** Reads empty lines and the indentation of the next line; the most columns of any of them. `indent` 0: to be found. */
function scanIndentation(cursor: Cursor, indent: number, breaks: string[]): number {
  let most = 0;
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && cursor.code() === 0x20) cursor.at++;
    if (cursor.column > most) most = cursor.column;
    if ((indent === 0 || cursor.column < indent) && cursor.code() === 0x09)
      throw cursor.refuse('found a tab character where an indentation space is expected');
    if (!isLineBreak(cursor.code())) return most;
    breaks.push(cursor.readBreak());
  }
}
