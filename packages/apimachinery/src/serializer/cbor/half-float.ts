const BIAS = 15,
  FRACTION_BITS = 10,
  MAX_EXPONENT = 31;

/** The number of an IEEE 754 half, as its 16 bits. */
export function halfToNumber(bits: number): number {
  const sign = (bits & 0x8000) === 0 ? 1 : -1;
  const exponent = (bits >> FRACTION_BITS) & MAX_EXPONENT;
  const fraction = bits & 0x3ff;
  if (exponent === MAX_EXPONENT) return fraction === 0 ? sign * Infinity : Number.NaN;
  return exponent === 0
    ? sign * fraction * 2 ** (1 - BIAS - FRACTION_BITS)
    : sign * (1 + fraction / 2 ** FRACTION_BITS) * 2 ** (exponent - BIAS);
}

/** The half that is exactly a finite number, as its 16 bits; undefined where there is none. */
export function exactHalf(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  // Below 2^-14 all halves are multiples of 2^-24.
  if (size < 2 ** (1 - BIAS)) {
    const fraction = size * 2 ** (BIAS + FRACTION_BITS - 1);
    return Number.isInteger(fraction) ? sign | fraction : undefined;
  }
  const exponent = Math.floor(Math.log2(size));
  const fraction = (size / 2 ** exponent - 1) * 2 ** FRACTION_BITS;
  return exponent <= BIAS && Number.isInteger(fraction) && fraction >= 0
    ? sign | ((exponent + BIAS) << FRACTION_BITS) | fraction
    : undefined;
}
