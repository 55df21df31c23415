/** Bytes of a character by its first byte, of those that begin one; go-yaml looks at the rest itself. */
function widthOf(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xc0) return 0;
  return first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
}

/** The least code of a character of so many bytes. */
const LEAST = [0, 0, 0x80, 0x800, 0x10000];

/**
 * Why a YAML text cannot be read, before anything is made of it: bytes that are no UTF-8, and characters that YAML does
 * not allow, the first of them (yaml_parser_update_buffer of go-yaml v2.4). Undefined when it can.
 */
export function readerError(bytes: Uint8Array): string | undefined {
  const { length } = bytes;
  for (let at = 0; at < length;) {
    const first = bytes[at] as number;
    const width = widthOf(first);
    if (width === 0) return 'invalid leading UTF-8 octet';
    if (at + width > length) return 'incomplete UTF-8 octet sequence';
    let code = width === 1 ? first : first & (0xff >> (width + 1));
    for (let i = 1; i < width; i++) {
      const octet = bytes[at + i] as number;
      if ((octet & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
      code = (code << 6) | (octet & 0x3f);
    }
    if (code < (LEAST[width] as number)) return 'invalid length of a UTF-8 sequence';
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return 'invalid Unicode character';
    if (!isAllowed(code)) return 'control characters are not allowed';
    at += width;
  }
  return undefined;
}

function isAllowed(code: number): boolean {
  return code < 0x80
    ? (code >= 0x20 && code !== 0x7f) || code === 0x09 || code === 0x0a || code === 0x0d
    : code === 0x85 || (code >= 0xa0 && code !== 0xfffe && code !== 0xffff);
}
