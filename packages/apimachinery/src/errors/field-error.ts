import type { StatusCause } from './status.ts';
import { goFloat, goJSON, goNumber, goQuote, rawJSON } from './go-format.ts';
import type { FieldPath } from './field-path.ts';
import { errorLimits } from '../limits/error-limits.ts';

/** What is wrong with a field; the value is the reason of the Status cause. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTooShort'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTooShort: 'Too short',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

/** Marks a value that is not to be printed. */
const omitted = Symbol('omitted');

/** Where the value is printed in the text. */
const withValue = new Set<FieldErrorType>([
  'FieldValueInvalid',
  'FieldValueTypeInvalid',
  'FieldValueNotSupported',
  'FieldValueNotFound',
  'FieldValueDuplicate',
  'FieldValueTooMany',
  'FieldValueTooFew',
]);

/** One thing wrong with one field (upstream field.Error). Collected in lists, not thrown; see `invalid()` in errors. */
export class FieldError {
  readonly type: FieldErrorType;
  /** What {@link field} says; most are never asked, where there are thousands. */
  readonly #path: FieldPath | string;
  /** Asked for several times; of a value of a megabyte it takes tens of milliseconds. */
  #body: string | undefined;
  readonly badValue: unknown;
  readonly detail: string;

  constructor(type: FieldErrorType, path: FieldPath | string, badValue: unknown, detail = '') {
    this.type = type;
    this.#path = path;
    this.badValue = badValue;
    this.detail = detail;
  }

  /** The path of the field, as text. */
  get field(): string {
    return String(this.#path);
  }

  /** The text without the field: `Invalid value: "x": must be y`. */
  get body(): string {
    return (this.#body ??= this.#print());
  }

  toString(): string {
    return `${this.field}: ${this.body}`;
  }

  #print(): string {
    let text = titles[this.type];
    if (withValue.has(this.type) && this.badValue !== omitted) text += `: ${printValue(this.badValue)}`;
    return this.detail === '' ? text : `${text}: ${this.detail}`;
  }
}

function printValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return goQuote(value);
    case 'number':
    case 'bigint':
      return goNumber(value);
    // Text that is absent is empty; null stands for what Go can tell from that.
    case 'undefined':
      return '""';
    default:
      return goJSON(value);
  }
}

/**
 * A text that Go keeps by pointer, or as a type of its own: errors print it as JSON, which escapes other characters
 * than `%q` does.
 */
export function textByPointer(text: string): object {
  return { toJSON: () => text };
}

/** A number that Go has as a float64, however whole it is: errors print it with an exponent from 1e6 on. */
export function asFloat(value: number | bigint): object {
  return { toJSON: () => rawJSON(goFloat(Number(value))) };
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A value that had to be there. */
export function required(path: FieldPath | string, detail = ''): FieldError {
  return new FieldError('FieldValueRequired', path, '', detail);
}
/** A malformed value. Objects are printed as JSON in the order of their keys. */
export function invalidValue(path: FieldPath | string, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueInvalid', path, value, detail);
}
/** A wrong value that is too much to print. */
export function invalidOmitted(path: FieldPath | string, detail: string): FieldError {
  return new FieldError('FieldValueInvalid', path, omitted, detail);
}
/** A value of the wrong type. */
export function typeInvalid(path: FieldPath | string, value: unknown, detail: string): FieldError {
  return new FieldError('FieldValueTypeInvalid', path, value, detail);
}
/** A value that must be unique and is not. */
export function duplicate(path: FieldPath | string, value: unknown): FieldError {
  return new FieldError('FieldValueDuplicate', path, value);
}
/** A duplicate that is too much to print. */
export function duplicateOmitted(path: FieldPath | string): FieldError {
  return new FieldError('FieldValueDuplicate', path, omitted);
}
/** A reference to something that does not exist. */
export function valueNotFound(path: FieldPath | string, value: unknown): FieldError {
  return new FieldError('FieldValueNotFound', path, value);
}
/**
 * A value that is not one of `supported`, which are printed in the order given. Texts that have so few values have a
 * type of their own in Go, and are printed as JSON; those that have not, with `plain`, are quoted.
 */
export function notSupported(
  path: FieldPath | string,
  value: unknown,
  supported: readonly string[],
  { plain = false }: { readonly plain?: boolean } = {},
): FieldError {
  return new FieldError(
    'FieldValueNotSupported',
    path,
    typeof value === 'string' && !plain ? textByPointer(value) : value,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  );
}
/** A value that is not allowed here or now. */
export function forbiddenValue(path: FieldPath | string, detail: string): FieldError {
  return new FieldError('FieldValueForbidden', path, '', detail);
}
/** Text of more than `maxLength` bytes. */
export function tooLong(path: FieldPath | string, maxLength: number): FieldError {
  return new FieldError(
    'FieldValueTooLong',
    path,
    '<value omitted>',
    maxLength < 0 ? 'value is too long' : `may not be more than ${plural(maxLength, 'byte')}`,
  );
}
/** Text of more than `maxLength` characters. */
export function tooLongCharacters(path: FieldPath | string, maxLength: number): FieldError {
  return new FieldError(
    'FieldValueTooLong',
    path,
    '<value omitted>',
    maxLength < 0 ? 'value is too long' : `may not be more than ${plural(maxLength, 'character')}`,
  );
}
/** Text of less than `minLength` characters. */
export function tooShort(path: FieldPath | string, value: string, minLength: number): FieldError {
  return new FieldError(
    'FieldValueTooShort',
    path,
    value,
    minLength < 0 ? 'value is too short' : `must be at least ${plural(minLength, 'character')}`,
  );
}
/** A list of more than `max` items; a negative `actual` is not printed. */
export function tooMany(path: FieldPath | string, actual: number, max: number): FieldError {
  return new FieldError(
    'FieldValueTooMany',
    path,
    actual < 0 ? omitted : actual,
    max < 0 ? 'has too many items' : `must have at most ${plural(max, 'item')}`,
  );
}
/** A list of less than `min` items. */
export function tooFew(path: FieldPath | string, actual: number, min: number): FieldError {
  return new FieldError(
    'FieldValueTooFew',
    path,
    actual,
    min < 0 ? 'has too few items' : `must have at least ${plural(min, 'item')}`,
  );
}
/** Something that is not the user's fault. */
export function internalFieldError(path: FieldPath | string, message: string): FieldError {
  return new FieldError('InternalError', path, undefined, message);
}

/** The texts of all errors, repeated ones once: `a`, or `[a, b]` (upstream ErrorList.ToAggregate). Empty for none. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  return aggregateTexts(toldOf(errors).map(String));
}

/** Several errors as one, each once: `[a, b]`, and one as it stands (utilerrors.NewAggregate). */
export function aggregateTexts(texts: readonly string[]): string {
  const each = [...new Set(texts)];
  return each.length === 1 ? (each[0] ?? '') : each.length === 0 ? '' : `[${each.join(', ')}]`;
}

/** The causes of a Status, one per error, repeated ones included. */
export function toCauses(errors: readonly FieldError[]): StatusCause[] {
  return toldOf(errors).map((error) => ({ reason: error.type, message: error.body, field: error.field }));
}

/** Characters that each error has at the least. */
const SHORTEST = 16;

/**
 * Whether these are more than are told: who looks for mistakes in items that a client sent needs no more.
 * @param shortest characters that each of them has at the least
 */
export function areEnough(errors: readonly FieldError[], shortest = SHORTEST): boolean {
  return errors.length * Math.max(shortest, SHORTEST) > errorLimits.refusalText.value;
}

/** The first errors, as far as their texts are told: thousands may quote a value of a megabyte each. */
function toldOf(errors: readonly FieldError[]): readonly FieldError[] {
  let left: number = errorLimits.refusalText.value;
  const end = errors.findIndex(({ body, field }) => (left -= field.length + body.length) < 0);
  return end < 0 ? errors : errors.slice(0, end + 1);
}
