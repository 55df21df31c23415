import { FormatError } from '../errors/format-error.ts';
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

/**
 * Nanoseconds of a Go duration such as `1h15m30.918s`.
 * @throws FormatError with the text of Go's time.ParseDuration
 */
export function parseDuration(text: string): bigint {
  const invalid = (): FormatError => new FormatError(`time: invalid duration ${quoteForTime(text)}`);
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw invalid();
  let total = 0n;
  while (rest !== '') {
    const number = /^([0-9]*)(?:\.([0-9]*))?/.exec(rest);
    const whole = number?.[1] ?? '';
    const fraction = number?.[2] ?? '';
    if (number === null || (whole === '' && fraction === '')) throw invalid();
    rest = rest.slice(number[0].length);
    const unitText = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unitText === '') throw new FormatError(`time: missing unit in duration ${quoteForTime(text)}`);
    const unit = units.get(unitText);
    if (unit === undefined)
      throw new FormatError(`time: unknown unit ${quoteForTime(unitText)} in duration ${quoteForTime(text)}`);
    rest = rest.slice(unitText.length);
    let value = BigInt(whole === '' ? '0' : whole) * unit;
    if (fraction !== '') {
      const digits = fraction.slice(0, 18);
      value += (BigInt(digits) * unit) / 10n ** BigInt(digits.length);
    }
    total += value;
    if (value > LIMIT || total > LIMIT) throw invalid();
  }
  if (negative) return -total;
  if (total > LIMIT - 1n) throw invalid();
  return total;
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
  const fraction = (value % divisor).toString().padStart(places, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / divisor}` : `${value / divisor}.${fraction}`;
}
