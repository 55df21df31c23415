import { RawNumber } from '../json/tree.ts';

const KEYWORDS = new Map<string, boolean | null>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((text) => [text, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
]);
const NOT_FINITE = new Set([
  '.nan',
  '.NaN',
  '.NAN',
  '.inf',
  '.Inf',
  '.INF',
  '+.inf',
  '+.Inf',
  '+.INF',
  '-.inf',
  '-.Inf',
  '-.INF',
]);
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const MAX_UINT64 = 2n ** 64n - 1n,
  MIN_INT64 = -(2n ** 63n);
const TIMESTAMP =
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[tT]| +)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\.[0-9]+)?(?:Z|[-+][0-9]{2}:[0-9]{2})?)?$/;

/** A plain scalar that is not text: Infinity and NaN have no JSON form and stay a special case. */
export type ResolvedScalar = boolean | null | string | RawNumber | typeof NOT_A_NUMBER;

/** `.inf` and `.nan`: readable as YAML, but not convertible to JSON. */
export const NOT_A_NUMBER = Symbol('not finite');

/**
 * What a plain (unquoted) scalar means under the rules of Go's yaml.v2 (YAML 1.1 without base-60 numbers):
 * `yes`, `on` and `y` are true, `017` and `0x1f` are integers, timestamps stay text.
 */
export function resolveScalar(text: string): ResolvedScalar {
  const keyword = KEYWORDS.get(text);
  if (keyword !== undefined) return keyword;
  if (NOT_FINITE.has(text)) return NOT_A_NUMBER;
  const first = text.charCodeAt(0);
  // Only these characters can begin a number.
  if (!(first >= 0x30 && first <= 0x39) && first !== 0x2b && first !== 0x2d && first !== 0x2e) return text;
  const plain = first === 0x2e ? text : text.replaceAll('_', '');
  const integer = first === 0x2e ? undefined : parseInteger(plain);
  if (integer !== undefined) return new RawNumber(integer.toString());
  return FLOAT.test(plain) ? new RawNumber(String(Number(plain))) : text;
}

function parseInteger(text: string): bigint | undefined {
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const [, sign, hex, binary, octal, decimal] = match;
  const value =
    hex !== undefined
      ? BigInt(`0x${hex}`)
      : binary !== undefined
        ? BigInt(`0b${binary}`)
        : octal !== undefined
          ? BigInt(`0o${octal}`)
          : BigInt(decimal ?? '0');
  const signed = sign === '-' ? -value : value;
  // ParseUint, the second try, takes no sign.
  if (signed < MIN_INT64 || signed > (sign === '' ? MAX_UINT64 : MAX_UINT64 / 2n)) return undefined;
  return signed;
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
