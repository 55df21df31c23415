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

const pattern = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

/** `undefined` when the text cannot be a quantity. Like upstream's scanner it lets `+`, `.` and `1.` pass. */
export function splitQuantity(text: string): QuantityParts | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? '';
  const integer = whole.replace(/^0+/, '');
  return {
    negative: match[1] === '-',
    integer: integer === '' ? '0' : integer,
    fraction,
    suffix: match[4] ?? '',
    hasDigits: whole !== '' || fraction !== '',
  };
}
