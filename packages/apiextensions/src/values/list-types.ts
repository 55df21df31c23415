import {
  FieldPath,
  compareText,
  duplicate,
  goJSON,
  invalidValue,
  isPlainObject,
  sortedForm,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

/** Lists of type `set` hold a value once, lists of type `map` a key (apiserver/schema/listtype, 1.36). */
export function validateListTypes(value: unknown, schema: ValueSchema, path: FieldPath = FieldPath.root): FieldError[] {
  const errors: FieldError[] = [];
  // Paths are only made where something is to be reported.
  if (!isUnique(value, schema)) check(value, schema, { path, errors });
  return errors;
}

/** Whether {@link check} would find nothing; makes no paths. */
function isUnique(value: unknown, schema: ValueSchema): boolean {
  if (typeof value !== 'object' || value === null || !schema.needs.listTypes) return true;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    if (schema.listType === 'set' && repeated(list).length > 0) return false;
    if (schema.listType === 'map' && !hasUniqueKeys(list, schema.mapKeys)) return false;
    const { items } = schema;
    return items === undefined || !items.needs.listTypes || list.every((item) => isUnique(item, items));
  }
  for (const key of Object.keys(value)) {
    const below = schema.under(key);
    if (below !== undefined && !isUnique((value as Record<string, unknown>)[key], below)) return false;
  }
  return true;
}

/** Quick for the common list with one key of text; for others keys are made that can be compared. */
function hasUniqueKeys(list: readonly unknown[], mapKeys: readonly string[]): boolean {
  const [name = ''] = mapKeys;
  if (mapKeys.length === 1 && list.every((item) => isPlainObject(item) && typeof item[name] === 'string')) {
    return (
      list.length <= 1 || new Set(list.map((item) => (item as Record<string, unknown>)[name])).size === list.length
    );
  }
  return list.every((item) => item === null || isPlainObject(item)) && repeated(keysOf(list, mapKeys)).length === 0;
}

function keysOf(list: readonly unknown[], mapKeys: readonly string[]): readonly object[] {
  return list.map((item) =>
    isPlainObject(item)
      ? Object.fromEntries(mapKeys.filter((key) => Object.hasOwn(item, key)).map((key) => [key, item[key]]))
      : {},
  );
}

interface Visit {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function check(value: unknown, schema: ValueSchema, { path, errors }: Visit): void {
  if (!schema.needs.listTypes) return;
  if (Array.isArray(value)) {
    const list = value as readonly unknown[];
    if (schema.listType === 'set')
      for (const i of repeated(list)) errors.push(duplicate(path.index(i), sortedForm(list[i])));
    else if (schema.listType === 'map') checkKeys(list, schema.mapKeys, { path, errors });
    const { items } = schema;
    if (items !== undefined)
      list.forEach((item, i) => {
        check(item, items, { path: path.index(i), errors });
      });
    return;
  }
  if (!isPlainObject(value)) return;
  for (const key of Object.keys(value).sort(compareText)) {
    const property = schema.property(key);
    const { additional } = schema;
    if (property !== undefined) check(value[key], property, { path: path.child(key), errors });
    else if (additional !== undefined) check(value[key], additional, { path: path.key(key), errors });
  }
}

function checkKeys(list: readonly unknown[], mapKeys: readonly string[], { path, errors }: Visit): void {
  const odd = list.findIndex((item) => item !== null && !isPlainObject(item));
  if (odd >= 0) {
    errors.push(
      invalidValue(path.index(odd), sortedForm(list[odd]), 'must be an object for an array of list-type map'),
    );
    return;
  }
  const keys = keysOf(list, mapKeys);
  for (const i of repeated(keys)) errors.push(duplicate(path.index(i), sortedForm(keys[i])));
}

/** Where values are met for the second time; a third time is not reported. */
function repeated(list: readonly unknown[]): number[] {
  if (list.length <= 1) return [];
  const times = new Map<string, number>();
  const found: number[] = [];
  list.forEach((item, i) => {
    const key = typeof item === 'string' ? `"${item}` : goJSON(sortedForm(item));
    const count = times.get(key) ?? 0;
    times.set(key, count + 1);
    if (count === 1) found.push(i);
  });
  return found;
}
