import { cloneJSON } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';

/**
 * A deep copy of JSON data (plain objects, arrays, scalars, bigint): what hooks that may change their object get.
 * Several times as fast as structuredClone on API objects.
 */
export function copyObject<T>(value: T): T {
  return cloneJSON(value as JSONValue) as T;
}
