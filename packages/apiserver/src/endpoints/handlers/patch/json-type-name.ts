import type { JSONValue } from '@kubechain/apimachinery';

/** How Go's encoding/json calls the type of a value in its errors. */
export function jsonTypeName(value: JSONValue): string {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'number';
    default:
      return typeof value;
  }
}
