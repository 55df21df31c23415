/** `value × 10^power` for `power` ≥ 0. */
export function scaleBy(value: bigint, power: number): bigint {
  return power === 0 || value === 0n ? value : value * 10n ** BigInt(power);
}

/** `value / 10^power` for `power` ≥ 0, rounded away from zero. */
export function roundAwayFromZero(value: bigint, power: number): bigint {
  if (power === 0 || value === 0n) return value;
  // A power far beyond the number's own digits must not be computed: it can have a billion digits.
  if (power > digitCount(value)) return value < 0n ? -1n : 1n;
  const divisor = 10n ** BigInt(power);
  const quotient = value / divisor;
  return quotient * divisor === value ? quotient : value < 0n ? quotient - 1n : quotient + 1n;
}

/** Compares `a × 10^aScale` with `b × 10^bScale`: negative, zero or positive. */
export function compareScaled(a: bigint, aScale: number, b: bigint, bScale: number): number {
  if (aScale === bScale) return a < b ? -1 : a > b ? 1 : 0;
  const aSign = a === 0n ? 0 : a < 0n ? -1 : 1;
  const bSign = b === 0n ? 0 : b < 0n ? -1 : 1;
  if (aSign !== bSign) return aSign < bSign ? -1 : 1;
  if (aSign === 0) return 0;
  const magnitude = digitCount(a) + aScale - (digitCount(b) + bScale);
  if (magnitude !== 0) return magnitude < 0 ? -aSign : aSign;
  const scale = Math.min(aScale, bScale);
  const x = scaleBy(a, aScale - scale);
  const y = scaleBy(b, bScale - scale);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Divides by `factor` as long as that is exact; the rest and how often. */
export function withoutFactors(value: bigint, factor: bigint): [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  while (rest !== 0n && rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return [rest, times];
}

function digitCount(value: bigint): number {
  const text = value.toString();
  return value < 0n ? text.length - 1 : text.length;
}
