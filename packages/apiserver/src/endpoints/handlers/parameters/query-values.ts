import { badRequest, goQuote } from '@kubechain/apimachinery';

/**
 * Only `false` (in any case) and `0` are false; a parameter without a value is true (Convert_Slice_string_To_bool).
 * undefined: not given.
 */
export function queryBoolean(query: URLSearchParams, name: string): boolean | undefined {
  const text = query.get(name);
  return text === null ? undefined : text !== '0' && text.toLowerCase() !== 'false';
}

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

/**
 * A decimal 64-bit integer; beyond 2^53 it loses precision, which no parameter of the API can tell.
 * @throws StatusError BadRequest with the text of Go's strconv
 */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  if (value < minInt64 || value > maxInt64)
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}
