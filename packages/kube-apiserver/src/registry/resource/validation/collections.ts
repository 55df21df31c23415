import { duplicate, repeats, tooMany } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { items } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';

/*
 * Rules of collections (validateSlice, validateSet and validateMap of pkg/apis/resource/validation, 1.36). What is
 * too large is not looked into.
 */

/** A list of at most `max` items. */
export function list<T>(max: number, rule: Rule<T>): Rule<readonly T[] | undefined> {
  return (values, path) =>
    (values?.length ?? 0) > max ? [tooMany(path, values?.length ?? 0, max)] : items(rule)(values, path);
}

/** A list of at most `max` items, no two of which have the same key. */
export function set<T>(max: number, rule: Rule<T>, keyOf: (item: T) => unknown): Rule<readonly T[] | undefined> {
  return (values = [], path) =>
    values.length > max
      ? [tooMany(path, values.length, max)]
      : [...items(rule)(values, path), ...repeated(values, keyOf, path)];
}

function repeated<T>(values: readonly T[], keyOf: (item: T) => unknown, path: FieldPath): FieldError[] {
  const keys = values.map(keyOf);
  const again = repeats(keys.map((key) => JSON.stringify(key)));
  return keys.flatMap((key, i) => (again[i] === true ? [duplicate(path.index(i), key)] : []));
}

/** Rules of a map's keys, which are told at the map itself, and of its values. Keys are shortened in paths. */
export interface MapRules<T> {
  readonly max?: number;
  readonly maxKey: number;
  readonly key: Rule<string>;
  readonly value: Rule<T>;
}

export function map<T>({
  key: keyRule,
  max = Number.POSITIVE_INFINITY,
  maxKey,
  value: valueRule,
}: MapRules<T>): Rule<Readonly<Record<string, T>> | undefined> {
  return (entries = {}, path) => {
    const keys = Object.keys(entries);
    if (keys.length > max) return [tooMany(path, keys.length, max)];
    return Object.entries(entries).flatMap(([key, value]) => [
      ...keyRule(key, path),
      ...valueRule(value, path.key(shortened(key, maxKey))),
    ]);
  };
}

/** Without its middle where it is longer than `max`, which is 16 at least. */
function shortened(text: string, max: number): string {
  const limit = Math.max(max, 16);
  if (text.length <= limit) return text;
  const left = limit - 3;
  return `${text.slice(0, Math.floor((left + 1) / 2))}...${text.slice(text.length - Math.floor(left / 2))}`;
}
