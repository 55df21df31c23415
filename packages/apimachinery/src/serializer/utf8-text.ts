import { isUtf8 } from 'node:buffer';
import { replacedByByte } from '../text/utf8.ts';

/** What stands for bytes that are no UTF-8. */
const REPLACEMENT = '\uFFFD';
const REPLACEMENT_UNIT = 0xfffd;

/**
 * Bytes as the text that Go takes them for: each byte that belongs to no character is a U+FFFD of its own. JavaScript's
 * decoders have one for all bytes of a character that is cut short.
 */
export function utf8Text(bytes: Uint8Array): string {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return !text.includes(REPLACEMENT) || isUtf8(buffer) ? text : replacedByByte(buffer, () => REPLACEMENT_UNIT);
}
