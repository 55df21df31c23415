import { FormatError } from '../errors/format-error.ts';

/** A port number or name, a count or a percentage (upstream util/intstr). */
export type IntOrString = number | string;

/** The number; for text its integer value, or 0 when it is none. */
export function intValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  return /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

/**
 * Resolves a count or percentage against `total`.
 * @throws FormatError with upstream's text when the text is not a percentage
 */
export function scaledIntOrPercent(value: IntOrString, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  if (!value.endsWith('%'))
    throw new FormatError('invalid value for IntOrString: invalid type: string is not a percentage');
  const digits = value.slice(0, -1);
  if (!/^[+-]?[0-9]+$/.test(digits)) {
    throw new FormatError(
      `invalid value for IntOrString: invalid value ${JSON.stringify(value)}: strconv.Atoi: parsing ` +
        `${JSON.stringify(digits)}: invalid syntax`,
    );
  }
  const scaled = (Number(digits) * total) / 100;
  return rounding === 'up' ? Math.ceil(scaled) : Math.floor(scaled);
}
