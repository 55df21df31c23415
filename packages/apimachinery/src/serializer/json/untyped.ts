import { goQuote } from '../../errors/go-format.ts';
import type { JSONValue } from '../../object/object.ts';
import { MAX_STRICT_ERRORS, pathText } from './exact-decode.ts';
import { plainValue } from './plain-value.ts';
import { RawObject } from './tree.ts';
import type { RawValue } from './tree.ts';

/**
 * An unstructured object (nulls and number kinds kept) with its duplicate fields.
 * @throws FormatError for a number beyond what doubles hold
 */
export function exactUntyped(raw: RawValue): { value: Record<string, JSONValue>; strictErrors: string[] } {
  const errors = new Set<string>();
  const value = plainValue(raw, [], (path, key) => {
    if (errors.size < MAX_STRICT_ERRORS) errors.add(`duplicate field ${goQuote(pathText(path, key))}`);
  });
  return { value: raw instanceof RawObject ? (value as Record<string, JSONValue>) : {}, strictErrors: [...errors] };
}
