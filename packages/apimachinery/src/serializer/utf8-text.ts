import { isUtf8 } from 'node:buffer';

/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD';

/**
 * Bytes as the text that Go takes them for: each byte that belongs to no character is a U+FFFD of its own. JavaScript's
 * decoders have one for all bytes of a character that is cut short.
 */
export function utf8Text(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return !text.includes(REPLACEMENT) || isUtf8(buffer) ? text : replacedByByte(buffer);
}

function replacedByByte(buffer: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < buffer.length;) {
    const length = characterLength(buffer, at);
    if (length === 0) {
      parts.push(buffer.toString('utf8', from, at), REPLACEMENT);
      from = at + 1;
    }
    at += Math.max(1, length);
  }
  parts.push(buffer.toString('utf8', from));
  return parts.join('');
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
