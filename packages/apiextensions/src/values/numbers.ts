import { goNumber } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import type { Outcome } from './outcome.ts';

const MAX_FLOAT32 = 3.4028235677973366e38;

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
  /** `integer` or `number` where the type is just that. */
  readonly #type: string;
  readonly #format: string;

  constructor(props: JSONSchemaProps, types: readonly string[], format: string) {
    this.#multipleOf = props.multipleOf;
    this.#maximum = props.maximum;
    this.#minimum = props.minimum;
    this.#exclusiveMaximum = props.exclusiveMaximum === true;
    this.#exclusiveMinimum = props.exclusiveMinimum === true;
    this.#type = types.length === 1 && (types[0] === 'integer' || types[0] === 'number') ? types[0] : '';
    this.#format = this.#type === '' ? '' : format;
  }

  check(value: number | bigint, path: string, outcome: Outcome): void {
    this.#range(value, 'Checked', path, outcome);
    const fail = (bad: number | bigint, text: string): void => {
      outcome.add({ kind: 'value', path, message: `${path} in body ${text}`, value: bad });
    };
    if (this.#multipleOf !== undefined) {
      const inRange = this.#range(this.#multipleOf, 'MultipleOf', path, outcome);
      const factor = inRange ? exact(value, this.#multipleOf) : this.#multipleOf;
      if (factor <= 0) outcome.add({ kind: 'value', path, message: `factor MultipleOf declared for ${path} must be positive: ${goNumber(factor)}`, value: factor });
      else if (!isMultiple(value, factor, inRange && isInteger(value))) fail(value, `should be a multiple of ${goNumber(factor)}`);
    }
    if (this.#minimum !== undefined) {
      const bound = this.#range(this.#minimum, 'Minimum boundary', path, outcome) ? exact(value, this.#minimum) : this.#minimum;
      if (this.#exclusiveMinimum ? value <= bound : value < bound) fail(value, `should be greater than ${this.#exclusiveMinimum ? '' : 'or equal to '}${goNumber(bound)}`);
    }
    if (this.#maximum !== undefined) {
      const bound = this.#range(this.#maximum, 'Maximum boundary', path, outcome) ? exact(value, this.#maximum) : this.#maximum;
      if (this.#exclusiveMaximum ? value >= bound : value > bound) fail(value, `should be less than ${this.#exclusiveMaximum ? '' : 'or equal to '}${goNumber(bound)}`);
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
    if (!fits) outcome.add({ kind: 'general', message: `${prefix} value must be of type ${this.#type} ${this.#format === '' ? '(default format)' : `with format ${this.#format}`} in ${path}` });
    return fits;
  }
}

/** A bound that an integer is compared with loses its fraction. */
function exact(value: number | bigint, bound: number): number {
  return isInteger(value) ? Math.trunc(bound) : bound;
}

function isMultiple(value: number | bigint, factor: number, asInteger: boolean): boolean {
  if (asInteger) return typeof value === 'bigint' ? value % BigInt(factor) === 0n : value % factor === 0;
  const data = Number(value);
  return isFloatInteger(factor < 1 ? 1 / factor * data : data / factor);
}
