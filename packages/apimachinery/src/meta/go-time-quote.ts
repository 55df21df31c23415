const HEX = '0123456789abcdef';

/** Text in quotes as Go's time package prints it in errors: control and non-ASCII bytes as `\xNN`. */
export function quoteForTime(text: string): string {
  let out = '"';
  for (const byte of Buffer.from(text, 'utf8')) {
    if (byte < 32 || byte >= 128) out += `\\x${HEX[byte >> 4]}${HEX[byte & 15]}`;
    else if (byte === 34 || byte === 92) out += `\\${String.fromCharCode(byte)}`;
    else out += String.fromCharCode(byte);
  }
  return `${out}"`;
}
