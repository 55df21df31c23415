import { asFloat, goFloat } from '@kubechain/apimachinery';
import { unranged } from '../schema/json-schema-props.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import type { Outcome } from './outcome.ts';

const MAX_FLOAT32 = 3.4028235677973366e38;

/** Formats that say more of a number's range than its type. */
const rangeFormats: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'uint64', 'float', 'double']);

/** Whether Go keeps the number as int64: written as an integer, and within its range. */
export function isInteger(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether a float counts as an integer: a whole number, or nearly so (go-openapi/swag IsFloat64AJSONInteger). */
export function isFloatInteger(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  if (Number.isInteger(value)) return true;
  if (value < 0) return false;
  const whole = Math.trunc(value);
  return whole !== 0 && Math.abs(value - whole) / (value + whole) < 1e-9;
}

/** What a schema says of numbers; bounds are doubles, as in the Go type. */
export class NumberRules {
  readonly #multipleOf: number | undefined;
  readonly #maximum: number | undefined;
  readonly #minimum: number | undefined;
  readonly #exclusiveMaximum: boolean;
  readonly #exclusiveMinimum: boolean;
  /** `integer` or `number` where the type is just that, and ranges count. */
  readonly #type: string;
  readonly #format: string;

  constructor(props: JSONSchemaProps, types: readonly string[], format: string) {
    this.#multipleOf = props.multipleOf;
    this.#maximum = props.maximum;
    this.#minimum = props.minimum;
    this.#exclusiveMaximum = props.exclusiveMaximum === true;
    this.#exclusiveMinimum = props.exclusiveMinimum === true;
    const isRanged = props[unranged] !== true && types.length === 1;
    this.#type = isRanged && (types[0] === 'integer' || types[0] === 'number') ? types[0] : '';
    this.#format = this.#type === '' ? '' : format;
  }

  check(value: number | bigint, path: string, outcome: Outcome): void {
    this.#range(value, 'Checked', path, outcome);
    // Integers are compared as such with bounds that fit the type, and else as floats.
    const within = (bound: number, what: string): boolean =>
      this.#range(bound, what, path, outcome) && isInteger(value);
    const fail = (asInteger: boolean, text: string, bound: number | bigint): void => {
      const printed = asInteger
        ? ([value, String(bound)] as const)
        : ([asFloat(value), goFloat(Number(bound))] as const);
      outcome.add({ kind: 'value', path, message: `${path} in body ${text} ${printed[1]}`, value: printed[0] });
    };
    if (this.#multipleOf !== undefined) {
      const asInteger = within(this.#multipleOf, 'MultipleOf');
      const factor = asInteger ? toInt64(this.#multipleOf) : this.#multipleOf;
      if (factor <= 0)
        outcome.add({
          kind: 'value',
          path,
          message:
            `factor MultipleOf declared for ${path} must be positive: ` +
            `${asInteger ? String(factor) : goFloat(Number(factor))}`,
          value: factor,
        });
      else if (!isMultiple(value, factor, asInteger)) fail(asInteger, 'should be a multiple of', factor);
    }
    if (this.#minimum !== undefined) {
      const asInteger = within(this.#minimum, 'Minimum boundary');
      const bound = asInteger ? toInt64(this.#minimum) : this.#minimum;
      if (this.#exclusiveMinimum ? value <= bound : value < bound)
        fail(asInteger, `should be greater than${this.#exclusiveMinimum ? '' : ' or equal to'}`, bound);
    }
    if (this.#maximum !== undefined) {
      const asInteger = within(this.#maximum, 'Maximum boundary');
      const bound = asInteger ? toInt64(this.#maximum) : this.#maximum;
      if (this.#exclusiveMaximum ? value >= bound : value > bound)
        fail(asInteger, `should be less than${this.#exclusiveMaximum ? '' : ' or equal to'}`, bound);
    }
    outcome.matches++;
  }

  /** Adds a problem unless the number fits the type and format. */
  #range(value: number | bigint, prefix: string, path: string, outcome: Outcome): boolean {
    let fits = true;
    if (this.#type === 'integer') {
      fits = typeof value === 'bigint' || (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63);
      if (this.#format === 'int32') fits &&= value >= -(2 ** 31) && value < 2 ** 31;
    } else if (this.#type === 'number' && this.#format === 'float') fits = Math.abs(Number(value)) < MAX_FLOAT32;
    if (!fits)
      outcome.add({
        kind: 'general',
        message:
          `${prefix} value must be of type ${this.#type} ` +
          `${rangeFormats.has(this.#format) ? `with format ${this.#format}` : '(default format)'} in ${path}`,
      });
    return fits;
  }
}

const minInt64 = -(2n ** 63n);

/**
 * A bound that an integer is compared with: without its fraction, and the lowest integer where it is none (Go's int64()
 * on amd64).
 */
function toInt64(bound: number): number | bigint {
  if (Number.isSafeInteger(Math.trunc(bound))) return Math.trunc(bound);
  return bound >= -(2 ** 63) && bound < 2 ** 63 ? BigInt(Math.trunc(bound)) : minInt64;
}

function isMultiple(value: number | bigint, factor: number | bigint, asInteger: boolean): boolean {
  if (asInteger)
    return typeof value === 'bigint' || typeof factor === 'bigint'
      ? BigInt(value) % BigInt(factor) === 0n
      : value % factor === 0;
  const data = Number(value),
    divisor = Number(factor);
  return isFloatInteger(divisor < 1 ? (1 / divisor) * data : data / divisor);
}
