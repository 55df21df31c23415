import { CelError, CelUint } from './values.ts';

const minInt = -(2n ** 63n),
  maxInt = 2n ** 63n - 1n;

/** An int, or the error that it is none. */
export function checkedInt(value: bigint): bigint {
  if (value < minInt || value > maxInt) throw new CelError('integer overflow');
  return value;
}

/** A uint, or the error that it is none. */
export function checkedUint(value: bigint): CelUint {
  if (value < 0n || value >= 2n ** 64n) throw new CelError('unsigned integer overflow');
  return new CelUint(value);
}

/** A double without its fraction. @throws CelError where an int cannot hold it */
export function truncatedInt(value: number): bigint {
  if (!Number.isFinite(value) || value <= -(2 ** 63) || value >= 2 ** 63) throw new CelError('integer overflow');
  return BigInt(Math.trunc(value));
}

export function truncatedUint(value: number): CelUint {
  if (!Number.isFinite(value) || value < 0 || value >= 2 ** 64) throw new CelError('unsigned integer overflow');
  return new CelUint(BigInt(Math.trunc(value)));
}

export function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

/** A text as strconv.ParseInt reads it. @throws CelError */
export function parseInt64(text: string): bigint {
  if (!/^[+-]?\d+$/.test(text)) throw conversionError('string', 'int');
  const value = BigInt(text.replace('+', ''));
  if (value < minInt || value > maxInt) throw conversionError('string', 'int');
  return value;
}

/** A text as strconv.ParseUint reads it. @throws CelError */
export function parseUint64(text: string): CelUint {
  if (!/^\d+$/.test(text) || BigInt(text) >= 2n ** 64n) throw conversionError('string', 'uint');
  return new CelUint(BigInt(text));
}

/** A text as strconv.ParseFloat reads it. @throws CelError */
export function parseDouble(text: string): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) return special[2]?.toLowerCase() === 'nan' ? NaN : special[1] === '-' ? -Infinity : Infinity;
  const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(value)) throw conversionError('string', 'double');
  return value;
}

/** A double as Go's %g writes it with all digits that it needs. */
export function formatDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  return value !== 0 && (power < -4 || power >= 6)
    ? `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
    : String(value);
}
