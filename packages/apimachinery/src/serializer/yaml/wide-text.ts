import { refusal } from './cursor.ts';

const bigEndian = 0xfeff;
const littleEndian = 0xfffe;

/** Whether bytes begin with the mark of UTF-16, in either order. */
export function hasWideMark(bytes: Uint8Array): boolean {
  const mark = markOf(bytes);
  return mark === bigEndian || mark === littleEndian;
}

function markOf(bytes: Uint8Array): number {
  return ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
}

/**
 * The text of bytes in UTF-16 after their mark (yaml_parser_update_buffer of go.yaml.in/yaml/v2/readerc.go).
 * @throws DecodeError where surrogates have no partner, or a byte is left over
 */
export function wideText(bytes: Uint8Array): string {
  const units = Buffer.from(bytes.subarray(2, 2 + ((bytes.length - 2) & ~1)));
  if (markOf(bytes) === bigEndian) units.swap16();
  const text = units.toString('utf16le');
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isLow(unit)) throw refusal('unexpected low surrogate area', 0);
    if (!isHigh(unit)) continue;
    if (i + 1 === text.length) throw refusal('incomplete UTF-16 surrogate pair', 0);
    if (!isLow(text.charCodeAt(++i))) throw refusal('expected low surrogate area', 0);
  }
  if (bytes.length % 2 === 1) throw refusal('incomplete UTF-16 character', 0);
  return text;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
