import { FormatError } from '../errors/format-error.ts';
import { trimEndOf } from '../runtime/trim.ts';
import { quoteForTime } from './go-time-quote.ts';

const units = new Map<string, bigint>([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 2n ** 63n;
/** Of {@link LIMIT}. */
const MAX_DIGITS = 19;

/**
 * Nanoseconds of a Go duration such as `1h15m30.918s`.
 * @throws FormatError with the text of Go's time.ParseDuration
 */
export function parseDuration(text: string): bigint {
  const invalid = (): FormatError => new FormatError(`time: invalid duration ${quoteForTime(text)}`);
  const negative = text.startsWith('-');
  let at = negative || text.startsWith('+') ? 1 : 0;
  if (text.length === at + 1 && text[at] === '0') return 0n;
  if (text.length === at) throw invalid();
  let total = 0n;
  while (at < text.length) {
    const wholeEnd = digitsEnd(text, at);
    const fractionStart = text[wholeEnd] === '.' ? wholeEnd + 1 : wholeEnd;
    const fractionEnd = fractionStart === wholeEnd ? wholeEnd : digitsEnd(text, fractionStart);
    if (wholeEnd === at && fractionEnd === fractionStart) throw invalid();
    const unitEnd = unitEndOf(text, fractionEnd);
    // Go has read the number by then, and refuses it first when it is too large.
    const whole = wholeNumber(text, at, wholeEnd);
    if (whole === undefined) throw invalid();
    if (unitEnd === fractionEnd) throw new FormatError(`time: missing unit in duration ${quoteForTime(text)}`);
    const unitText = text.slice(fractionEnd, unitEnd);
    const unit = units.get(unitText);
    if (unit === undefined)
      throw new FormatError(`time: unknown unit ${quoteForTime(unitText)} in duration ${quoteForTime(text)}`);
    let value = whole * unit;
    if (fractionEnd > fractionStart) value += fractionOf(text, fractionStart, fractionEnd, unit);
    total += value;
    if (value > LIMIT || total > LIMIT) throw invalid();
    at = unitEnd;
  }
  if (negative) return -total;
  if (total > LIMIT - 1n) throw invalid();
  return total;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function unitEndOf(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== 0x2e && !isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Digits behind a point, in nanoseconds; Go leaves out those that an int64 has no room for, and rounds as floats do.
 */
function fractionOf(text: string, from: number, to: number, unit: bigint): bigint {
  // 18 digits always fit.
  let end = Math.min(to, from + 18);
  let digits = BigInt(text.slice(from, end));
  if (end < to && digits <= MAX_FRACTION / 10n) {
    const more = digits * 10n + BigInt(text.charAt(end));
    if (more <= LIMIT) {
      digits = more;
      end++;
    }
  }
  return BigInt(Math.trunc(Number(digits) * (Number(unit) / 10 ** (end - from))));
}
const MAX_FRACTION = LIMIT - 1n;

/** Digits as a number; undefined when it is more than any duration. */
function wholeNumber(text: string, from: number, to: number): bigint | undefined {
  let start = from;
  while (start < to && text.charCodeAt(start) === 0x30) start++;
  if (to - start > MAX_DIGITS) return undefined;
  const value = start === to ? 0n : BigInt(text.slice(start, to));
  return value > LIMIT ? undefined : value;
}

/** Go's text of a duration: `1h0m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const magnitude = nanos < 0n ? -nanos : nanos;
  if (magnitude < 1_000n) return `${sign}${magnitude}ns`;
  if (magnitude < 1_000_000n) return `${sign}${decimal(magnitude, 3)}µs`;
  if (magnitude < 1_000_000_000n) return `${sign}${decimal(magnitude, 6)}ms`;
  const minutes = magnitude / 60_000_000_000n;
  const seconds = `${decimal(magnitude % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

/**
 * A duration as the server stores it (`60m` becomes `1h0m0s`).
 * @throws FormatError as {@link parseDuration}
 */
export function canonicalDuration(text: string): string {
  return formatDuration(parseDuration(text));
}

/** `value / 10^places` without trailing zeros. */
function decimal(value: bigint, places: number): string {
  const divisor = 10n ** BigInt(places);
  const fraction = trimEndOf((value % divisor).toString().padStart(places, '0'), '0');
  return fraction === '' ? `${value / divisor}` : `${value / divisor}.${fraction}`;
}
