const quote = 0x22,
  backslash = 0x5c,
  comma = 0x2c,
  colon = 0x3a;
const openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d;

/**
 * Compact JSON with line breaks and two spaces of indentation a level, as Go's json.MarshalIndent writes it: empty
 * objects and arrays stay closed, nothing ends the last line. Works on the text, so that numbers keep their digits
 * and keys their order.
 */
export function indentJSON(json: Uint8Array): Buffer {
  const parts: string[] = [];
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  let depth = 0;
  let from = 0;
  const copyTo = (end: number): void => {
    if (end > from) parts.push(text.toString('latin1', from, end));
    from = end;
  };
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case quote:
        while (text[++i] !== quote) if (text[i] === backslash) i++;
        break;
      case openBrace:
      case openBracket:
        copyTo(i + 1);
        if (text[i + 1] === closeBrace || text[i + 1] === closeBracket) {
          copyTo(++i + 1);
          break;
        }
        parts.push(lineBreak(++depth));
        break;
      case closeBrace:
      case closeBracket:
        copyTo(i);
        parts.push(lineBreak(--depth));
        break;
      case comma:
        copyTo(i + 1);
        parts.push(lineBreak(depth));
        break;
      case colon:
        copyTo(i + 1);
        parts.push(' ');
        break;
      default:
        break;
    }
  }
  copyTo(text.length);
  return Buffer.from(parts.join(''), 'latin1');
}

const breaks: string[] = [];

function lineBreak(depth: number): string {
  return (breaks[depth] ??= `\n${'  '.repeat(depth)}`);
}
