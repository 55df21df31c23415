import type { CelType } from '../types/types.ts';
import { CelDuration, CelOpaque, CelOptional, CelTime, CelTypeValue, CelUint, isList, isMap } from './values.ts';

/** Whether a value may be of a type; of lists and maps the first entry tells. */
export function isOfType(value: unknown, { kind, name, params }: CelType): boolean {
  switch (kind) {
    case 'dyn':
    case 'param':
    case 'error':
      return true;
    case 'null':
      return value === null;
    case 'list':
      return isList(value) && (value.size === 0 || isOfType(value.at(0), params[0] as CelType));
    case 'map':
      return isMap(value) && isFirstEntryOf(value, params);
    case 'type':
      return value instanceof CelTypeValue;
    case 'opaque':
      return name === 'optional_type'
        ? value instanceof CelOptional
        : value instanceof CelOpaque && value.typeName === name;
    case 'object':
      return value instanceof CelOpaque ? value.typeName === name : isMap(value);
    case 'simple':
  }
  switch (name) {
    case 'bool':
      return typeof value === 'boolean';
    case 'int':
      return typeof value === 'bigint';
    case 'uint':
      return value instanceof CelUint;
    case 'double':
      return typeof value === 'number';
    case 'string':
      return typeof value === 'string';
    case 'bytes':
      return value instanceof Uint8Array;
    case 'timestamp':
      return value instanceof CelTime;
    default:
      return value instanceof CelDuration;
  }
}

function isFirstEntryOf(
  map: { keys(): Iterable<unknown>; get(key: unknown): unknown },
  [keyType, valueType]: readonly CelType[],
): boolean {
  for (const key of map.keys())
    return isOfType(key, keyType as CelType) && isOfType(map.get(key), valueType as CelType);
  return true;
}
