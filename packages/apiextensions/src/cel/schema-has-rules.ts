import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, itemsOf } from '../schema/json-schema-props.ts';

const known = new WeakMap<JSONSchemaProps, boolean>();

/** Whether a schema, or one that shapes values below it, has CEL rules. */
export function schemaHasRules(schema: JSONSchemaProps): boolean {
  let has = known.get(schema);
  if (has === undefined) {
    has =
      (schema['x-kubernetes-validations']?.length ?? 0) > 0 ||
      [itemsOf(schema), additionalOf(schema), ...Object.values(schema.properties ?? {})].some(
        (child) => child !== undefined && schemaHasRules(child),
      );
    known.set(schema, has);
  }
  return has;
}
