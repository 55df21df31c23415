const escapes: ReadonlyMap<string, string> = new Map([['\u0007', '\\a'], ['\b', '\\b'], ['\f', '\\f'], ['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t'], ['\v', '\\v'], ['"', '\\"'], ['\\', '\\\\']]);
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Text in double quotes as Go's %q prints it: ASCII control characters escaped Go's way, printable Unicode left alone. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const rune of text) {
    const code = rune.codePointAt(0) ?? 0;
    const escaped = escapes.get(rune);
    if (escaped !== undefined) quoted += escaped;
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code > 0x7e && !/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(rune)) quoted += code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    else quoted += rune;
  }
  return `${quoted}"`;
}
