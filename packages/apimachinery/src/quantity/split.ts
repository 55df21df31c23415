/** A quantity's text, taken apart but not yet understood. */
export interface QuantityParts {
  readonly negative: boolean;
  /** Digits before the point without leading zeros; `0` when there are none. */
  readonly integer: string;
  /** Digits after the point, as written. */
  readonly fraction: string;
  readonly suffix: string;
  /** Whether any digit was written at all. */
  readonly hasDigits: boolean;
}

/** Letters that suffixes are made of. */
const LETTERS = 'eEinumkKMGTP';

/** `undefined` when the text cannot be a quantity. Like upstream's scanner it lets `+`, `.` and `1.` pass. */
export function splitQuantity(text: string): QuantityParts | undefined {
  let at = 0;
  const first = text[0];
  if (first === '-' || first === '+') at++;
  const wholeStart = at;
  while (text.charCodeAt(at) === 0x30) at++;
  const start = at;
  at = digitsEnd(text, at);
  const integer = text.slice(start, at);
  let hasDigits = at > wholeStart;
  let fraction = '';
  if (text[at] === '.') {
    const end = digitsEnd(text, at + 1);
    fraction = text.slice(at + 1, end);
    if (fraction !== '') hasDigits = true;
    at = end;
  }
  const suffixStart = at;
  while (at < text.length && LETTERS.includes(text.charAt(at))) at++;
  if (text[at] === '-' || text[at] === '+') at++;
  if (digitsEnd(text, at) !== text.length) return undefined;
  return {
    negative: first === '-',
    integer: integer === '' ? '0' : integer,
    fraction,
    suffix: text.slice(suffixStart),
    hasDigits,
  };
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  for (let c = text.charCodeAt(at); c >= 0x30 && c <= 0x39; c = text.charCodeAt(at)) at++;
  return at;
}
