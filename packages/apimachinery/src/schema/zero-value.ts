import type { JSONValue } from '../object/object.ts';
import type { Schema } from './schema.ts';

/** What Go has in a list or map element that was null or unusable. */
export function zeroValue(schema: Schema): JSONValue {
  switch (schema.kind) {
    case 'struct':
      return {};
    case 'map':
    case 'list':
    case 'any':
      return null;
    case 'scalar':
      switch (schema.type) {
        case 'string':
        // Go has nil there, which is nothing once the object has been stored or copied as protobuf.
        case 'bytes':
          return '';
        case 'boolean':
          return false;
        case 'quantity':
          return '0';
        case 'duration':
          return '0s';
        case 'time':
        case 'microTime':
          return null;
        case 'int32':
        case 'int64':
        case 'integer':
        case 'double':
        case 'number':
        case 'intOrString':
          return 0;
        default:
          return schema.type satisfies never;
      }
    default:
      return schema satisfies never;
  }
}
