import type { JSONValue } from '../object/object.ts';

/** Kind of a decoded JSON value as Go's encoding/json names it in type errors: `array`, `number`, … */
export function jsonKind(value: JSONValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'number';
    default:
      return 'object';
  }
}

/** Go type of a decoded JSON value as `%T` prints it: `map[string]interface {}`, `int64`, `<nil>`, … */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      // Integers beyond are bigints, and what was written with an exponent is none.
      return Number.isSafeInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

/** The same as `%s` prints `reflect.TypeOf(value)`, which differs for nil. */
export function reflectedTypeName(value: JSONValue): string {
  return value === null ? '%!s(<nil>)' : goTypeName(value);
}
