/** What Go's encoder escapes and JSON.stringify does not: `<`, `>`, `&` and two line separators. */
const escapedByGo = ['<', '>', '&', '\u2028', '\u2029'].map((character) => Buffer.from(character));
/** Of a surrogate that stands alone, which Go replaces. */
const surrogateEscapes = [String.raw`\ud`, String.raw`\uD`].map((escape) => Buffer.from(escape));

/**
 * Whether JSON is as long as an encoder writes what was parsed from it, which it is not with members that are repeated,
 * spaces, or characters escaped otherwise. Also false for some that an encoder has written: those with escapes that
 * only Go writes, or numbers that JSON.stringify writes otherwise. The order of members is not looked at.
 *
 * Takes 7 µs of an object of 1.1 KB, whose decoding takes 35 µs.
 */
export function isAsEncoded(json: Buffer, parsed: object): boolean {
  for (const bytes of escapedByGo) if (json.includes(bytes)) return false;
  for (const bytes of surrogateEscapes) if (json.includes(bytes)) return false;
  try {
    return Buffer.byteLength(JSON.stringify(parsed)) === json.length;
  } catch {
    // Integers beyond 2^53 are bigints.
    return false;
  }
}
