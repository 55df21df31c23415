import { Quantity } from './quantity.ts';

const ZERO = 48;
const NINE = 57;

/**
 * The canonical text of a quantity as JSON carries it (text or number); what a decoder stores.
 *
 * Most quantities in manifests are canonical already; those come back without parsing.
 *
 * @throws FormatError with upstream's text
 */
export function canonicalQuantity(value: string | number | bigint): string {
  const text = typeof value === 'string' ? value : String(value);
  return isCanonical(text) ? text : Quantity.parse(text.trim()).toString();
}

/** Recognises the common canonical texts; a false negative only costs a parse. */
function isCanonical(text: string): boolean {
  const length = text.length;
  let i = 0;
  let number = 0;
  for (; i < length && i < 9; i++) {
    const digit = text.charCodeAt(i);
    if (digit < ZERO || digit > NINE) break;
    number = number * 10 + digit - ZERO;
  }
  if (i === 0 || text.charCodeAt(0) === ZERO) return text === '0';
  if (i === length) return number % 1000 !== 0;
  if (length - i === 1) {
    switch (text[i]) {
      case 'm':
      case 'k':
      case 'M':
      case 'G':
      case 'T':
      case 'P':
      case 'E':
      case 'u':
      case 'n':
        return number % 1000 !== 0;
      default:
        return false;
    }
  }
  if (length - i !== 2 || text[i + 1] !== 'i' || (number & 7) === 0) return false;
  switch (text[i]) {
    case 'K':
    case 'M':
    case 'G':
      return i < 5;
    default:
      return false;
  }
}
