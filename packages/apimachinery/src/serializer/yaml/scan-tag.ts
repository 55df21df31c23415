import { isBlank, isBreakOrEnd, isDecimalDigit, isNameCharacter, isSpaceOrEnd } from './cursor.ts';
import type { Cursor } from './cursor.ts';

/** A tag as written: `!handle!suffix`; the handle is empty for `!<suffix>` and for the lone `!`. */
export interface WrittenTag {
  readonly handle: string;
  readonly suffix: string;
}

/** `%YAML 1.1` or `%TAG !handle! prefix`. */
export type Directive =
  | { readonly kind: 'version'; readonly major: number; readonly minor: number }
  | ({ readonly kind: 'tag' } & TagDirective);

export interface TagDirective {
  readonly handle: string;
  readonly prefix: string;
}

const URI_CHARACTERS = new Set(Array.from("-;/?:@&=+$,.!~*'()[]%_", (c) => c.charCodeAt(0)));

/** A name of letters, digits, `_` and `-`; empty where there is none. */
export function scanName(cursor: Cursor): string {
  const start = cursor.at;
  while (isNameCharacter(cursor.code())) cursor.at++;
  return cursor.text.slice(start, cursor.at);
}

/** A tag; the cursor is at its `!`. */
export function scanTag(cursor: Cursor): WrittenTag {
  let tag: WrittenTag;
  if (cursor.code(1) === 0x3c) {
    cursor.at += 2;
    const suffix = scanURI(cursor, '');
    if (cursor.code() !== 0x3e) throw cursor.refuse("did not find the expected '>'");
    cursor.at++;
    tag = { handle: '', suffix };
  } else {
    const handle = scanHandle(cursor, false);
    if (handle.length > 1 && handle.endsWith('!')) tag = { handle, suffix: scanURI(cursor, '') };
    else {
      const suffix = scanURI(cursor, handle);
      tag = suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix };
    }
  }
  if (!isSpaceOrEnd(cursor.code())) throw cursor.refuse('did not find expected whitespace or line break');
  return tag;
}

function scanHandle(cursor: Cursor, directive: boolean): string {
  if (cursor.code() !== 0x21) throw cursor.refuse("did not find expected '!'");
  cursor.at++;
  let handle = `!${scanName(cursor)}`;
  if (cursor.code() === 0x21) {
    handle += '!';
    cursor.at++;
  } else if (directive && handle !== '!') throw cursor.refuse("did not find expected '!'");
  return handle;
}

/** The rest of a tag behind its `head`, escapes decoded. */
function scanURI(cursor: Cursor, head: string): string {
  const start = cursor.at;
  const parts: string[] = [head.slice(1)];
  for (;;) {
    const from = cursor.at;
    while (cursor.code() !== 0x25 && (isNameCharacter(cursor.code()) || URI_CHARACTERS.has(cursor.code()))) cursor.at++;
    parts.push(cursor.text.slice(from, cursor.at));
    if (cursor.code() !== 0x25) break;
    parts.push(scanEscapedCharacter(cursor));
  }
  if (head === '' && cursor.at === start) throw cursor.refuse('did not find expected tag URI');
  return parts.join('');
}

/** The octets `%C3%A9` of one character. */
function scanEscapedCharacter(cursor: Cursor): string {
  const octets: number[] = [];
  let width = 1;
  while (octets.length < width) {
    const digits = cursor.text.slice(cursor.at + 1, cursor.at + 3);
    if (cursor.code() !== 0x25 || !/^[0-9a-fA-F]{2}$/.test(digits))
      throw cursor.refuse('did not find URI escaped octet');
    const octet = Number.parseInt(digits, 16);
    if (octets.length === 0) {
      width = octet < 0x80 ? 1 : octet >> 5 === 6 ? 2 : octet >> 4 === 14 ? 3 : octet >> 3 === 30 ? 4 : 0;
      if (width === 0) throw cursor.refuse('found an incorrect leading UTF-8 octet');
    } else if ((octet & 0xc0) !== 0x80) throw cursor.refuse('found an incorrect trailing UTF-8 octet');
    octets.push(octet);
    cursor.at += 3;
  }
  return Buffer.from(octets).toString('utf8');
}

/** A directive with its line; the cursor is at its `%`. */
export function scanDirective(cursor: Cursor): Directive {
  cursor.at++;
  const name = scanName(cursor);
  if (name === '') throw cursor.refuse('could not find expected directive name');
  if (!isSpaceOrEnd(cursor.code())) throw cursor.refuse('found unexpected non-alphabetical character');
  let directive: Directive;
  if (name === 'YAML') directive = scanVersion(cursor);
  else if (name === 'TAG') directive = scanTagDirective(cursor);
  else throw cursor.refuse('found unknown directive name');
  cursor.skipBlanks();
  if (cursor.code() === 0x23) cursor.skipLine();
  if (!isBreakOrEnd(cursor.code())) throw cursor.refuse('did not find expected comment or line break');
  cursor.skipBreak();
  return directive;
}

function scanVersion(cursor: Cursor): Directive {
  cursor.skipBlanks();
  const major = scanVersionNumber(cursor);
  if (cursor.code() !== 0x2e) throw cursor.refuse("did not find expected digit or '.' character");
  cursor.at++;
  return { kind: 'version', major, minor: scanVersionNumber(cursor) };
}

function scanVersionNumber(cursor: Cursor): number {
  const start = cursor.at;
  while (isDecimalDigit(cursor.code())) {
    if (cursor.at - start === 2) throw cursor.refuse('found extremely long version number');
    cursor.at++;
  }
  if (cursor.at === start) throw cursor.refuse('did not find expected version number');
  return Number(cursor.text.slice(start, cursor.at));
}

function scanTagDirective(cursor: Cursor): Directive {
  cursor.skipBlanks();
  const handle = scanHandle(cursor, true);
  if (!isBlank(cursor.code())) throw cursor.refuse('did not find expected whitespace');
  cursor.skipBlanks();
  const prefix = scanURI(cursor, '');
  if (!isSpaceOrEnd(cursor.code())) throw cursor.refuse('did not find expected whitespace or line break');
  return { kind: 'tag', handle, prefix };
}
