const SINGLE = 'abfnrtv\\';
const HEX_DIGITS = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Whether Go could take the quotes off a text (strconv.UnquoteChar for each character): all escapes are known. */
export function quotedTextIsSound(inside: string, quote: string): boolean {
  for (let at = 0; at < inside.length;) {
    if (inside[at] === quote) return false;
    if (inside[at] !== '\\') {
      at++;
      continue;
    }
    const length = escapeLength(inside, at + 1, quote);
    if (length === 0) return false;
    at += 1 + length;
  }
  return true;
}

/** How long the escape is whose letter is at `at`; 0 where there is no such. */
function escapeLength(text: string, at: number, quote: string): number {
  const letter = text.charAt(at);
  if (letter === '') return 0;
  if (letter === quote || SINGLE.includes(letter)) return 1;
  const hex = HEX_DIGITS.get(letter);
  if (hex !== undefined) {
    const code = numberAt(text, { at: at + 1, length: hex, base: 16 });
    // Bytes may be any, characters not.
    const isSound =
      code !== undefined && (letter === 'x' || (code <= 0x10_ff_ff && !(code >= 0xd800 && code < 0xe000)));
    return isSound ? 1 + hex : 0;
  }
  const octal = numberAt(text, { at, length: 3, base: 8 });
  return octal !== undefined && octal <= 0xff ? 3 : 0;
}

/** The number that exactly `length` digits from `at` on write; undefined where others are among them. */
function numberAt(
  text: string,
  { at, base, length }: { readonly at: number; readonly length: number; readonly base: 8 | 16 },
): number | undefined {
  let value = 0;
  for (let i = at; i < at + length; i++) {
    const digit = '0123456789abcdef'.indexOf(text.charAt(i).toLowerCase());
    if (text.charAt(i) === '' || digit < 0 || digit >= base) return undefined;
    value = value * base + digit;
  }
  return value;
}
