import { compareText, type JSONObject, type JSONValue, type KubeObject } from '@kubechain/apimachinery';
import { forEachSchema } from '../schema/walk.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';

/** As somebody wrote it: nothing has been validated yet. */
interface WrittenSpec {
  readonly versions?:
    | readonly ({ readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps | null } | null } | null)[]
    | null;
}

/**
 * Puts the members of defaults, examples and enumerated values of a definition in the order of their names, as Go
 * writes what it has decoded into maps (apiextensions.JSON, 1.36). Changes the definition.
 */
export function orderValues(crd: KubeObject): void {
  const { versions } = (crd['spec'] ?? {}) as WrittenSpec;
  for (const version of versions ?? []) {
    const schema = version?.schema?.openAPIV3Schema;
    if (schema === undefined || schema === null) continue;
    forEachSchema(schema, (props) => {
      const values = props as { default?: JSONValue; example?: JSONValue; enum?: JSONValue[] | null };
      if (isCompound(values.default)) values.default = ordered(values.default);
      if (isCompound(values.example)) values.example = ordered(values.example);
      if (values.enum?.some(isCompound) === true) values.enum = values.enum.map(ordered);
    });
  }
}

function isCompound(value: JSONValue | undefined): value is JSONObject | JSONValue[] {
  return typeof value === 'object' && value !== null;
}

function ordered(value: JSONValue): JSONValue {
  if (!isCompound(value)) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return Object.fromEntries(entries.map(([key, item]) => [key, ordered(item)]));
}
