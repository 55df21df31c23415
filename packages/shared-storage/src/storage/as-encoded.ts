/** What Go's encoder escapes, as six bytes, and JSON.stringify does not: `<`, `>`, `&` and two line separators. */
const escapedByGo = ['<', '>', '&', '\u2028', '\u2029'].map((character) => {
  const bytes = Buffer.from(character);
  return { character, bytes, more: 6 - bytes.length };
});
const escape = Buffer.from(String.raw`\u`);
/** Of a surrogate that stands alone, which Go replaces. */
const surrogateEscapes = [String.raw`\ud`, String.raw`\uD`].map((escape) => Buffer.from(escape));

/**
 * Whether JSON is as long as an encoder writes what was parsed from it, which it is not with members that are repeated,
 * spaces, or characters escaped otherwise. Also false for some that an encoder has written: those with numbers that
 * JSON.stringify writes otherwise. The order of members is not looked at.
 *
 * Takes 7 µs of an object of 1.1 KB, whose decoding takes 35 µs.
 */
export function isAsEncoded(json: Buffer, parsed: object): boolean {
  for (const { bytes } of escapedByGo) if (json.includes(bytes)) return false;
  for (const bytes of surrogateEscapes) if (json.includes(bytes)) return false;
  try {
    const text = JSON.stringify(parsed);
    const length = Buffer.byteLength(text);
    return length === json.length || (json.includes(escape) && length + escapesOf(text) === json.length);
  } catch {
    // Integers beyond 2^53 are bigints.
    return false;
  }
}

/** How many bytes longer it is with Go's escapes. */
function escapesOf(text: string): number {
  let bytes = 0;
  for (const { character, more } of escapedByGo)
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) bytes += more;
  return bytes;
}
