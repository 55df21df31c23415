import type { CelType } from './types.ts';
import { CelDuration, CelOpaque, CelOptional, CelTime, CelTypeValue, CelUint, isList, isMap } from './values.ts';

/** Whether a value is of a type, without looking into it. */
export function valueIs(value: unknown, { kind, name }: CelType): boolean {
  switch (kind) {
    case 'dyn': case 'param': case 'error': return true;
    case 'list': return isList(value);
    case 'map': case 'object': return isMap(value);
    case 'optional': return value instanceof CelOptional;
    case 'type': return value instanceof CelTypeValue;
    case 'opaque': return value instanceof CelOpaque && value.typeName === name;
    case 'simple':
  }
  switch (name) {
    case 'bool': return typeof value === 'boolean';
    case 'int': return typeof value === 'bigint';
    case 'uint': return value instanceof CelUint;
    case 'double': return typeof value === 'number';
    case 'string': return typeof value === 'string';
    case 'bytes': return value instanceof Uint8Array;
    case 'null': return value === null;
    case 'timestamp': return value instanceof CelTime;
    default: return value instanceof CelDuration;
  }
}
