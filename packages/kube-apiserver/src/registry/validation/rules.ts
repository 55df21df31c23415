import { append, FieldPath, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { nonNegative, positive } from './bounds.ts';

/** What is wrong with a value that stands at `path`. Absent values come as undefined. */
export type Rule<T> = (value: T, path: FieldPath) => FieldError[];

/**
 * Rules of some fields of an object. Errors come in the order of the keys, which is the order of the reference's
 * answers. Fields that the schema calls required may be absent all the same: decoding does not ask for them.
 */
export type FieldRules<T> = { readonly [K in keyof T & string]?: Rule<T[K] | undefined> };

/** All errors of some items, as flatMap gives them; most items have none, which costs nothing here. */
export function each<T>(
  list: readonly T[] | undefined,
  check: (item: T, index: number) => readonly FieldError[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (list === undefined || list === null) return errors;
  for (let i = 0; i < list.length; i++) {
    const found = check(list[i] as T, i);
    if (found.length > 0) append(errors, found);
  }
  return errors;
}

/** An object by its fields; an absent one is checked as an empty one. */
export function fields<T extends object>(rules: FieldRules<T>): Rule<T | undefined> {
  const list = Object.entries(rules) as unknown as (readonly [
    keyof T & string,
    Rule<T[keyof T & string] | undefined>,
  ])[];
  return (value, path) => each(list, ([name, rule]) => rule(value?.[name], path.child(name)));
}

/** All rules, one after the other. */
export function all<T>(...rules: readonly Rule<T>[]): Rule<T> {
  return (value, path) => each(rules, (rule) => rule(value, path));
}

/** The rule where the value is there. Stored objects have null where Go writes a pointer that is not set. */
export function present<T>(rule: Rule<T>): Rule<T | undefined> {
  return (value, path) => (value === undefined || value === null ? [] : rule(value, path));
}

/** The rule for text that is not empty. */
export function filled<T extends string>(rule: Rule<T>): Rule<T | undefined> {
  return (value, path) => (value === undefined || value === '' ? [] : rule(value, path));
}

/** Must be there, and not empty; then the rule. */
export function needed<T>(rule?: Rule<T>, detail = ''): Rule<T | undefined> {
  return (value, path) => {
    if (value === undefined || value === '' || value === null) return [required(path, detail)];
    return rule === undefined ? [] : rule(value, path);
  };
}

/** Each item of a list. */
export function items<T>(rule: Rule<T>): Rule<readonly T[] | undefined> {
  return (value, path) => each(value, (item, i) => rule(item, path.index(i)));
}

/** Text in a format: one of the `is…` functions of apimachinery, which name what is wrong. Absent text is ''. */
export function format(check: (text: string) => readonly string[]): Rule<string | undefined> {
  return (value, path) => check(value ?? '').map((message) => invalidValue(path, value ?? '', message));
}

/** One of these; must be there. The values are printed in the order given. */
export function oneOf(values: readonly string[]): Rule<string | undefined> {
  return (value, path) =>
    value === undefined || value === ''
      ? [required(path)]
      : values.includes(value)
        ? []
        : [notSupported(path, value, values)];
}

/** One of these where it is there; absent text counts as '' only if `''` is no value of the kind. */
export function oneOfIfSet(values: readonly string[]): Rule<string | undefined> {
  return (value, path) => (value === undefined || values.includes(value) ? [] : [notSupported(path, value, values)]);
}

/** A number that must not be negative, where it is there. */
export const notNegative: Rule<number | undefined> = (value, path) => nonNegative(path, value);
/** A number that must be positive, where it is there. */
export const isPositive: Rule<number | undefined> = (value, path) => positive(path, value);

/** A number in a range, where it is there. */
export function inRange(low: number, high: number, message: string): Rule<number | undefined> {
  return (value, path) =>
    value === undefined || (value >= low && value <= high) ? [] : [invalidValue(path, value, message)];
}

/** Rules of a whole object, whose fields stand at the root. */
export function atRoot<T>(rule: Rule<T>): (object: T) => FieldError[] {
  return (object) => rule(object, FieldPath.root);
}
