import type { StructSchema } from '../../schema/schema.ts';
import { encodeJSONText } from './encode.ts';
import { exactDecode } from './exact-decode.ts';
import { fastDecode } from './fast-decode.ts';
import { parseTree } from './tree.ts';
import { isPlainObject } from '../../object/is-plain-object.ts';

/** A part of an object read as a Go struct. */
export interface DecodedStruct {
  /** Pruned and canonical; undefined when there is an error. It may be the given object, changed in place. */
  readonly value: Record<string, unknown> | undefined;
  /** Go's text of the error, `json: cannot unmarshal number into Go struct field ObjectMeta.name of type string`. */
  readonly error: string | undefined;
  /** Texts such as `unknown field "labelz"`; empty unless asked for. */
  readonly strictErrors: readonly string[];
}

/**
 * Reads plain JSON that lies inside an untyped object, such as the metadata of a custom resource, as the JSON
 * decoder reads whole objects. May change `value` in place: nulls and empty fields go, times become canonical.
 */
export function decodeStruct(
  value: unknown,
  schema: StructSchema,
  options: {
    readonly strict?: boolean;
    /** What `value` is a copy of: then lists and maps without entries are remembered whatever else there is. */
    readonly original?: unknown;
  } = {},
): DecodedStruct {
  const strict = options.strict === true;
  if (isPlainObject(value) && fastDecode(value, schema, strict) >= 0) {
    return { value: value as Record<string, unknown>, error: undefined, strictErrors: [] };
  }
  // The fast one has changed as much of the value as it could read.
  const exact = exactDecode(parseTree(encodeJSONText(options.original ?? value)), schema);
  if (exact.error !== undefined) return { value: undefined, error: exact.error, strictErrors: [] };
  return { value: exact.value, error: undefined, strictErrors: strict ? exact.strictErrors : [] };
}
