import { compareText } from '../errors/go-format.ts';
import { FormatError } from '../errors/format-error.ts';
import type { FieldError } from '../errors/field-error.ts';
import { aggregateMessage, invalidValue, notSupported } from '../errors/field-error.ts';
import { FieldPath } from '../errors/field-path.ts';
import { isLabelValue, isQualifiedName } from '../validation/names.ts';

/** How a label is compared; upstream's selection.Operator. */
export type LabelOperator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';

const operators: readonly string[] = ['in', 'notin', '=', '==', '!=', 'gt', 'lt', 'exists', '!'];
const INT64 = /^[+-]?[0-9]+$/;
const MAX_INT64 = 2n ** 63n - 1n;

/** One condition of a label selector. Immutable. */
export class LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  /** Sorted when it comes from text. */
  readonly values: readonly string[];
  readonly #first: string;
  /** What `gt` and `lt` compare with; undefined where that is no int64. */
  readonly number: bigint | undefined;

  /** Without any check; see {@link LabelRequirement.create}. */
  constructor(key: string, operator: LabelOperator, values: readonly string[]) {
    this.key = key;
    this.operator = operator;
    this.values = values;
    this.#first = values[0] ?? '';
    this.number = operator === 'gt' || operator === 'lt' ? numberOf(this.#first) : undefined;
  }

  /**
   * A requirement whose key and values are valid.
   * @throws FormatError with the texts of all field errors (`path` is where the requirement stands, if anywhere)
   */
  static create(
    key: string,
    operator: LabelOperator,
    values: readonly string[],
    path: FieldPath = FieldPath.root,
  ): LabelRequirement {
    const errors: FieldError[] = [];
    const keyErrors = isQualifiedName(key);
    if (keyErrors.length > 0) errors.push(invalidValue(path.child('key'), key, keyErrors.join('; ')));
    const at = path.child('values');
    switch (operator) {
      case 'in':
      case 'notin':
        if (values.length === 0)
          errors.push(invalidValue(at, values, "for 'in', 'notin' operators, values set can't be empty"));
        break;
      case '=':
      case '==':
      case '!=':
        if (values.length !== 1)
          errors.push(invalidValue(at, values, 'exact-match compatibility requires one single value'));
        break;
      case 'exists':
      case '!':
        if (values.length !== 0)
          errors.push(invalidValue(at, values, 'values set must be empty for exists and does not exist'));
        break;
      case 'gt':
      case 'lt':
        if (values.length !== 1)
          errors.push(invalidValue(at, values, "for 'Gt', 'Lt' operators, exactly one value is required"));
        values.forEach((value, i) => {
          if (numberOf(value) === undefined)
            errors.push(invalidValue(at.index(i), value, "for 'Gt', 'Lt' operators, the value must be an integer"));
        });
        break;
      default:
        errors.push(notSupported(path.child('operator'), operator satisfies never, operators));
    }
    values.forEach((value, i) => {
      const valueErrors = isLabelValue(value);
      if (valueErrors.length > 0) errors.push(invalidValue(at.index(i).key(key), value, valueErrors.join('; ')));
    });
    if (errors.length > 0) throw new FormatError(aggregateMessage(errors));
    return new LabelRequirement(key, operator, values);
  }

  /** Never throws. */
  matches(labels: Readonly<Record<string, string>> | undefined): boolean {
    const found: unknown = labels?.[this.key];
    // Not `!== undefined`: a label named `constructor` would find Object's.
    if (typeof found === 'string') return this.passes(found);
    return this.operator === '!=' || this.operator === 'notin' || this.operator === '!';
  }

  /** The same of an object that has the label, with this value. */
  passes(found: string): boolean {
    switch (this.operator) {
      case '=':
      case '==':
        return found === this.#first;
      case '!=':
        return found !== this.#first;
      case 'in':
        return this.values.includes(found);
      case 'notin':
        return !this.values.includes(found);
      case 'exists':
        return true;
      case '!':
        return false;
      case 'gt':
      case 'lt': {
        const value = numberOf(found);
        if (value === undefined || this.number === undefined) return false;
        return this.operator === 'gt' ? value > this.number : value < this.number;
      }
      default:
        return this.operator satisfies never;
    }
  }

  toString(): string {
    switch (this.operator) {
      case 'exists':
        return this.key;
      case '!':
        return `!${this.key}`;
      case 'gt':
        return `${this.key}>${this.#first}`;
      case 'lt':
        return `${this.key}<${this.#first}`;
      case 'in':
      case 'notin':
        return `${this.key} ${this.operator} (${[...this.values].sort(compareText).join(',')})`;
      case '=':
      case '==':
      case '!=':
        return `${this.key}${this.operator}${this.#first}`;
      default:
        return this.operator satisfies never;
    }
  }
}

/** Of an int64. */
const MAX_DIGITS = 19;

/** An int64 as `gt` and `lt` read it; undefined for other texts. */
export function numberOf(text: string): bigint | undefined {
  if (!INT64.test(text)) return undefined;
  const digits = text.replace(/^[-+]?0*/, '');
  if (digits.length > MAX_DIGITS) return undefined;
  const value = BigInt(`${text.startsWith('-') ? '-' : ''}${digits === '' ? '0' : digits}`);
  return value > MAX_INT64 || value < -MAX_INT64 - 1n ? undefined : value;
}
