import { FormatError } from '../errors/format-error.ts';
import { limits } from '../limits/limits.ts';
import { compareScaled, roundAwayFromZero, scaleBy, withoutFactors } from './decimal.ts';
import { splitQuantity } from './split.ts';
import { formatSuffix, interpretSuffix } from './suffix.ts';
import type { QuantityFormat } from './suffix.ts';

const NANO = -9;
/** Digits that surely fit into an int64 (upstream maxInt64Factors). */
const INT64_DIGITS = 18;
const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const K = 1024n;

/**
 * What was parsed last: the same amounts stand in most objects, and are looked at several times in each. When full it
 * starts anew: half a MB.
 */
const parsed = new Map<string, Quantity>();
const MAX_PARSED = 2048;
const MAX_PARSED_LENGTH = 32;

/** The messages of upstream's ErrFormatWrong, ErrNumeric and ErrSuffix. */
const QUANTITY_FORMAT_WRONG =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const QUANTITY_BAD_NUMBER = 'unable to parse numeric part of quantity';
const QUANTITY_BAD_SUFFIX = "unable to parse quantity's suffix";

/**
 * A fixed-point number with a preferred way of writing it (upstream api/resource Quantity).
 *
 * The value is `value × 10^scale`, exact; parsing rounds away from zero to nano. Immutable.
 */
export class Quantity {
  readonly value: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Upstream keeps it as a decimal number, not as an int64: it had a fraction of binary units, or too many digits. */
  #decimal = false;
  #text: string | undefined;
  /** The text that upstream keeps beside the amount: as it was read, where that is how it would be written. */
  readonly keptText: string | undefined;

  constructor(value: bigint, scale = 0, format: QuantityFormat = 'DecimalSI', text?: string) {
    this.value = value;
    this.scale = scale;
    this.format = format;
    this.#text = text;
    this.keptText = text;
  }

  /**
   * Parses without trimming; JSON decoding trims white space first ({@link canonicalQuantity}).
   * @throws FormatError with upstream's text
   */
  static parse(text: string): Quantity {
    const known = parsed.get(text);
    if (known !== undefined) return known;
    const quantity = Quantity.#parse(text);
    if (text.length <= MAX_PARSED_LENGTH) {
      if (parsed.size >= MAX_PARSED) parsed.clear();
      parsed.set(text, quantity);
    }
    return quantity;
  }

  static #parse(text: string): Quantity {
    if (text === '') throw new FormatError(QUANTITY_FORMAT_WRONG);
    if (text === '0') return new Quantity(0n, 0, 'DecimalSI', text);
    const parts = splitQuantity(text);
    if (parts === undefined) throw new FormatError(QUANTITY_FORMAT_WRONG);
    const suffix = interpretSuffix(parts.suffix);
    if (suffix === undefined) throw new FormatError(QUANTITY_BAD_SUFFIX);
    const { base, exponent, format } = suffix;
    const { negative, integer, fraction } = parts;
    const digits = integer.length + fraction.length + (base === 10 ? Math.max(exponent, 0) : 0);
    if (digits > limits.quantityDigits.value && (integer !== '0' || /[1-9]/.test(fraction)))
      throw new FormatError(QUANTITY_BAD_NUMBER);

    // Upstream's int64 path decides which texts are kept as they were written, so its limits are behaviour.
    let precision = INT64_DIGITS - integer.length - fraction.length;
    let scale = exponent;
    if (format === 'BinarySI') {
      scale = 0;
      precision = fraction.length === 0 ? 15 - integer.length - Math.trunc((exponent * 3) / 10) - 1 : -1;
    }
    scale -= fraction.length;
    if (precision >= 0 && scale >= NANO) {
      const written = integer + fraction;
      const plain = BigInt(written);
      const scaled = format === 'BinarySI' ? plain << BigInt(exponent) : plain;
      if (scaled <= MAX_INT64) {
        const canonical =
          format === 'BinarySI'
            ? (plain & 7n) !== 0n
            : scale % 3 === 0 && !written.endsWith('000') && written[0] !== '0';
        return new Quantity(negative ? -scaled : scaled, scale, format, canonical ? text : undefined);
      }
    }
    if (!parts.hasDigits) throw new FormatError(QUANTITY_BAD_NUMBER);
    // Zeros that are beyond the limit mean nothing.
    let magnitude = digits > limits.quantityDigits.value ? 0n : BigInt(integer + fraction);
    scale = magnitude === 0n ? 0 : -fraction.length;
    if (base === 10) scale += magnitude === 0n ? 0 : exponent;
    else magnitude <<= BigInt(exponent);
    if (scale < NANO) {
      magnitude = roundAwayFromZero(magnitude, NANO - scale);
      scale = NANO;
    }
    let kept: QuantityFormat = format;
    if (format === 'BinarySI') {
      if (compareScaled(magnitude, scale, MAX_INT64, 0) > 0) {
        magnitude = MAX_INT64;
        scale = 0;
      }
      if (magnitude !== 0n && compareScaled(magnitude, scale, 1n, 0) < 0) kept = 'DecimalSI';
    }
    return new Quantity(negative ? -magnitude : magnitude, scale, kept).#asDecimal(true);
  }

  #asDecimal(decimal: boolean): this {
    this.#decimal = decimal;
    return this;
  }

  /** Whether upstream keeps the amount as a decimal number of nano units, not as an int64 with a scale. */
  get isDecimal(): boolean {
    return this.#decimal;
  }
  get isZero(): boolean {
    return this.value === 0n;
  }
  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return this.value === 0n ? 0 : this.value < 0n ? -1 : 1;
  }

  /** Negative, zero or positive, as this is less than, equal to or greater than `other`. */
  compare(other: Quantity): number {
    return compareScaled(this.value, this.scale, other.value, other.scale);
  }
  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /** The sum, in this quantity's format unless this is zero. */
  add(other: Quantity): Quantity {
    const format = this.isZero ? other.format : this.format;
    const decimal = this.#decimal || other.#decimal;
    if (other.isZero) return new Quantity(this.value, this.scale, format).#asDecimal(decimal);
    if (this.isZero) return new Quantity(other.value, other.scale, format).#asDecimal(decimal);
    const scale = Math.min(this.scale, other.scale);
    return new Quantity(
      scaleBy(this.value, this.scale - scale) + scaleBy(other.value, other.scale - scale),
      scale,
      format,
    ).#asDecimal(decimal);
  }

  sub(other: Quantity): Quantity {
    return this.add(other.negate());
  }
  negate(): Quantity {
    return new Quantity(-this.value, this.scale, this.format).#asDecimal(this.#decimal);
  }
  /** The exact product with an integer. */
  mul(factor: bigint): Quantity {
    return new Quantity(this.value * factor, this.scale, this.format);
  }

  /** The quantity in units of 10^`scale`, rounded away from zero (upstream ScaledValue, without its int64 overflow). */
  scaledValue(scale: number): bigint {
    return this.scale >= scale
      ? scaleBy(this.value, this.scale - scale)
      : roundAwayFromZero(this.value, scale - this.scale);
  }
  /** In whole units, rounded away from zero. */
  wholeValue(): bigint {
    return this.scaledValue(0);
  }
  /** In thousandths, rounded away from zero. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }
  /** May lose precision. */
  toNumber(): number {
    return Number(`${this.value}e${this.scale}`);
  }
  /**
   * Whether upstream's AsInt64 gives the value: it is written as an integer and fits into an int64; `1000m` and `1.5Gi`
   * are none.
   */
  get isInt64(): boolean {
    if (this.#decimal || this.scale < 0) return false;
    if (this.scale > INT64_DIGITS) return this.isZero;
    const whole = this.wholeValue();
    return whole >= MIN_INT64 && whole <= MAX_INT64;
  }

  /** Canonical text: as written when that was canonical already, as upstream keeps it. */
  toString(): string {
    return (this.#text ??= this.#canonicalText());
  }
  toJSON(): string {
    return this.toString();
  }

  #canonicalText(): string {
    if (this.value === 0n) return '0';
    if (
      this.format === 'BinarySI' &&
      (compareScaled(this.value, this.scale, -K, 0) <= 0 || compareScaled(this.value, this.scale, K, 0) >= 0) &&
      (this.scale >= 0 || this.value % 10n ** BigInt(-this.scale) === 0n)
    ) {
      const [mantissa, times] = withoutFactors(this.wholeValue(), K);
      return mantissa.toString() + formatSuffix(2, times * 10, 'BinarySI');
    }
    const [factored, times] = withoutFactors(this.value, 10n);
    let exponent = this.scale + times;
    let mantissa = factored;
    while (exponent % 3 !== 0) {
      mantissa *= 10n;
      exponent--;
    }
    // Beyond E the reference writes no suffix at all ("1000E" comes back as "1"); so do we.
    return (
      mantissa.toString() +
      formatSuffix(
        10,
        exponent,
        this.format === 'DecimalSI' || this.format === 'BinarySI' ? 'DecimalSI' : 'DecimalExponent',
      )
    );
  }
}
