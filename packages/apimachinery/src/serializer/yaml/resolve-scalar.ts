import { RawNumber } from '../json/tree.ts';

const KEYWORDS = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((text) => [text, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
]);
/** By their texts; how Go prints them. */
const NOT_FINITE = new Map<string, string>([
  ...['.nan', '.NaN', '.NAN'].map((text) => [text, 'NaN'] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((text) => [text, '+Inf'] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((text) => [text, '-Inf'] as const),
]);
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Behind a point go-yaml hands the text to Go as it is, which lets `_` stand between digits. */
const FRACTION = /^\.[0-9]+(?:_[0-9]+)*(?:[eE][-+]?[0-9]+(?:_[0-9]+)*)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const MAX_UINT64 = 2n ** 64n - 1n,
  MAX_INT64 = 2n ** 63n - 1n,
  MIN_INT64 = -(2n ** 63n);
/** Digits of any 64-bit number, whatever its base. */
const MAX_DIGITS = 64;
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[tT]| +)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** A number that is a float64 to go-yaml, whether or not its text is that of an integer. */
export class FloatNumber extends RawNumber {
  readonly value: number;

  constructor(value: number) {
    super(String(value));
    this.value = value;
  }
}

/** `.inf` and `.nan`: readable as YAML, but not convertible to JSON. */
export class NotFinite extends RawNumber {}

export type ResolvedScalar = boolean | null | string | RawNumber;

/**
 * What a plain (unquoted) scalar means under the rules of Go's yaml.v2 (YAML 1.1 without base-60 numbers):
 * `yes`, `on` and `y` are true, `017` and `0x1f` are integers, timestamps stay text.
 */
export function resolveScalar(text: string): ResolvedScalar {
  const first = text.charCodeAt(0);
  // Only these characters can begin a number.
  if (!(first >= 0x30 && first <= 0x39) && first !== 0x2b && first !== 0x2d && first !== 0x2e) {
    if (text.length > 5) return text;
    const keyword = KEYWORDS.get(text);
    return keyword === undefined ? text : keyword;
  }
  const notFinite = NOT_FINITE.get(text);
  if (notFinite !== undefined) return new NotFinite(notFinite);
  if (first === 0x2e && !FRACTION.test(text)) return text;
  const plain = text.includes('_') ? text.replaceAll('_', '') : text;
  const integer = first === 0x2e ? undefined : parseInteger(plain);
  if (integer !== undefined) return new RawNumber(integer);
  if (!FLOAT.test(plain)) return text;
  const value = Number(plain);
  // Go's ParseFloat refuses what is out of range.
  return Number.isFinite(value) ? new FloatNumber(value) : text;
}

/** The number in decimal digits, if the text is an int64 or an uint64. */
function parseInteger(text: string): string | undefined {
  if (text.length < 16) {
    const first = text.charCodeAt(0);
    if (first >= 0x31 && first <= 0x39) {
      let at = 1;
      while (at < text.length && text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at++;
      if (at === text.length) return text;
    }
  }
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const digits = withoutZeros(hex ?? binary ?? octal ?? decimal ?? '');
  if (digits.length > MAX_DIGITS) return undefined;
  const prefix = hex !== undefined ? '0x' : binary !== undefined ? '0b' : octal !== undefined ? '0o' : '';
  const value = BigInt(`${prefix}${digits}`);
  const signed = sign === '-' ? -value : value;
  // ParseUint, the second try, takes no sign.
  if (signed < MIN_INT64 || signed > (sign === '' ? MAX_UINT64 : MAX_INT64)) return undefined;
  return signed.toString();
}

function withoutZeros(digits: string): string {
  let at = 0;
  while (at < digits.length - 1 && digits.charCodeAt(at) === 0x30) at++;
  return at === 0 ? digits : digits.slice(at);
}

/** A date, or a date and time, as go-yaml reads them. */
export function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text);
}

/**
 * Whether text has to be quoted because it would otherwise be read as something else, or as a base-60 number by other
 * parsers.
 */
export function needsQuotes(text: string): boolean {
  return (
    typeof resolveScalar(text) !== 'string' ||
    TIMESTAMP.test(text) ||
    /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/.test(text)
  );
}
