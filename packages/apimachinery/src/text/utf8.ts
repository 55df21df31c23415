import { isUtf8 } from 'node:buffer';

/*
 * Go's strings are bytes, and those of protobuf need be no UTF-8. Here each byte that belongs to no character is half a
 * surrogate pair by itself, U+DC80 to U+DCFF, which no UTF-8 has: so it comes out again as what it was.
 */

/** What JavaScript's decoder puts for bytes that belong to no character. */
const REPLACEMENT = '\uFFFD';
const REPLACEMENT_UNIT = 0xfffd;
const FIRST_HALF = 0xdc00;

/** Bytes as text: those of `buffer` from `start` to `end`, which are all UTF-8 as a rule. */
export function textOfBytes(buffer: Buffer, start = 0, end = buffer.length): string {
  const text = buffer.toString('utf8', start, end);
  return text.includes(REPLACEMENT) ? exactText(text, buffer.subarray(start, end), (byte) => FIRST_HALF | byte) : text;
}

/**
 * Bytes as the text that Go takes them for: each byte that belongs to no character is a U+FFFD of its own. JavaScript's
 * decoders have one for all bytes of a character that is cut short.
 */
export function utf8Text(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return text.includes(REPLACEMENT) ? exactText(text, buffer, () => REPLACEMENT_UNIT) : text;
}

/** The bytes of a text that {@link textOfBytes} gave, undefined where `Buffer.from` has them. */
export function bytesOfText(text: string): Buffer | undefined {
  if (text.isWellFormed()) return undefined;
  const bytes = Buffer.allocUnsafe(3 * text.length);
  let length = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    if (!isByte(code)) continue;
    if (from < at) length += bytes.write(text.slice(from, at), length, 'utf8');
    bytes[length++] = code & 0xff;
    from = at + 1;
  }
  length += bytes.write(text.slice(from), length, 'utf8');
  return bytes.subarray(0, length);
}

/** Whether a unit of text stands for a byte that belongs to no character. */
export function isByte(unit: number): boolean {
  return unit >= (FIRST_HALF | 0x80) && unit <= (FIRST_HALF | 0xff);
}

/**
 * Bytes as text, with what the caller has in place of each byte that belongs to no character: a unit of UTF-16. Put
 * together as units, since there may be millions. `decoded`: what JavaScript's decoder makes of them, which is right
 * where all are UTF-8.
 */
function exactText(decoded: string, bytes: Uint8Array, replacement: (byte: number) => number): string {
  if (isUtf8(bytes)) return decoded;
  const units = Buffer.allocUnsafe(2 * bytes.length);
  let length = 0;
  const put = (unit: number): void => {
    length = units.writeUInt16LE(unit, length);
  };
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] as number;
    const size = characterLength(bytes, at);
    if (size <= 1) put(size === 0 ? replacement(first) : first);
    else {
      let code = first & (0x7f >> size);
      for (let i = 1; i < size; i++) code = (code << 6) | ((bytes[at + i] as number) & 0x3f);
      if (code > 0xffff) put(0xd7c0 + (code >> 10));
      put(code > 0xffff ? FIRST_HALF | (code & 0x3ff) : code);
    }
    at += Math.max(1, size);
  }
  return units.toString('utf16le', 0, length);
}

/** Bytes of the character that begins at a place; 0 where none does (utf8.DecodeRune). */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  // Not longer than it must be, no surrogate, and none above U+10FFFF.
  if (second < (first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80)) return 0;
  if (second > (first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf)) return 0;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** How JSON.stringify begins what stands for such a byte. */
const BYTE_ESCAPE = '\\udc';
const [BACKSLASH, U, D, C] = Array.from(BYTE_ESCAPE, (character) => character.charCodeAt(0));
const [F] = Array.from('f', (character) => character.charCodeAt(0)) as [number];

/** JSON text as Go writes it of such a text: with U+FFFD for each byte that is no UTF-8, as an escape. */
export function withoutBytes(json: string): string {
  if (!json.includes(BYTE_ESCAPE)) return json;
  const bytes = Buffer.alloc(2 * json.length);
  bytes.write(json, 'utf16le');
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, json.length);
  for (let at = 0; at < units.length; at++) {
    if (units[at] !== BACKSLASH) continue;
    // What follows a backslash belongs to it: of two, the second begins nothing.
    at++;
    if (units[at] === U && units[at + 1] === D && units[at + 2] === C) {
      units.fill(F, at + 1, at + 4);
      units[at + 4] = D as number;
    }
  }
  return bytes.toString('utf16le');
}
