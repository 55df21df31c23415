/**
 * The order in which yaml.v2 writes keys: letters after everything else, runs of digits by their value, so
 * that `a2` comes before `a10` (keyList.Less).
 */
export function compareKeys(a: string, b: string): number {
  const { length } = a;
  let i = 0;
  while (i < length && i < b.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  if (i === length || i === b.length) return length - b.length;
  // Halves of characters are not compared.
  if (i > 0 && isLowSurrogate(a.charCodeAt(i)) && isLowSurrogate(b.charCodeAt(i))) i--;
  const x = a.codePointAt(i) ?? 0,
    y = b.codePointAt(i) ?? 0;
  const xLetter = isLetter(x),
    yLetter = isLetter(y);
  if (xLetter && yLetter) return x - y;
  if (xLetter || yLetter) return yLetter ? -1 : 1;
  // Digits differ: leading zeros only count when a non-zero digit stands before them.
  let base = 0;
  if (x === ZERO || y === ZERO) {
    for (let j = i - 1; j >= 0 && isDigit(a.charCodeAt(j)); j--)
      if (a.charCodeAt(j) !== ZERO) {
        base = 1;
        break;
      }
  }
  const xEnd = endOfDigits(a, i),
    yEnd = endOfDigits(b, i);
  const xValue = valueOf(a, i, { end: xEnd, base }),
    yValue = valueOf(b, i, { end: yEnd, base });
  if (xValue < yValue) return -1;
  if (xValue > yValue) return 1;
  if (xEnd !== yEnd) return xEnd - yEnd;
  return x - y;
}

const ZERO = 0x30;
/** So many digits, and one before them, are exact as a number. */
const EXACT_DIGITS = 14;
/** 10^64 is a multiple of 2^64. */
const WRAPPING_DIGITS = 64;

function endOfDigits(text: string, start: number): number {
  let end = start;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** The run of digits behind `base`, as an int64, which long runs overflow. */
function valueOf(text: string, start: number, { base, end }: { base: number; end: number }): number | bigint {
  if (end - start <= EXACT_DIGITS) {
    let value = base;
    for (let i = start; i < end; i++) value = value * 10 + text.charCodeAt(i) - ZERO;
    return value;
  }
  // Of more digits, those in front are multiples of 2^64.
  const known =
    end - start > WRAPPING_DIGITS ? text.slice(end - WRAPPING_DIGITS, end) : `${base}${text.slice(start, end)}`;
  return BigInt.asIntN(64, BigInt(known));
}

const LETTER = /^\p{L}$/u;

function isLetter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
  return LETTER.test(String.fromCodePoint(code));
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
