import type { OpenAPISchema } from './open-api-schema.ts';

/** JSONSchemaProps of a CRD, as JSON. */
export type JSONSchema = OpenAPISchema;

export interface CustomSchemaOptions {
  /** Leave out what version 2 (and kubectl's reader of it) cannot take. */
  readonly v2: boolean;
  /** Whether examples are published, which came with 1.36. */
  readonly examples: boolean;
  /** Adds what embedded resources have. */
  readonly embedded: (schema: OpenAPISchema) => OpenAPISchema;
}

const junctors = ['allOf', 'oneOf', 'anyOf', 'not'] as const;
/** Members that structural schemas do not publish. */
const unpublished: ReadonlySet<string> = new Set([
  'id',
  '$schema',
  '$ref',
  'definitions',
  'dependencies',
  'patternProperties',
  'additionalItems',
]);
const falseIsAbsent: ReadonlySet<string> = new Set([
  'nullable',
  'uniqueItems',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
]);
/** x-kubernetes-int-or-string in words that every reader knows. */
const integerOrString = (): OpenAPISchema[] => [{ type: 'integer' }, { type: 'string' }];

/** A CRD's structural schema as documents have it (schema.ToKubeOpenAPI, and ToStructuralOpenAPIV2 for version 2). */
export function customSchema(schema: JSONSchema, options: CustomSchemaOptions): OpenAPISchema {
  const published = unfolded(options.examples ? schema : withoutExample(schema));
  const out = options.v2 ? forVersion2(published) : published;
  if (out.properties !== undefined)
    out.properties = Object.fromEntries(
      Object.entries(out.properties).map(([name, property]) => [name, customSchema(property, options)]),
    );
  if (out.items !== undefined) out.items = customSchema(out.items, options);
  if (typeof out.additionalProperties === 'object')
    out.additionalProperties = customSchema(out.additionalProperties, options);
  if (
    out['x-kubernetes-embedded-resource'] !== true ||
    (options.v2 && out['x-kubernetes-preserve-unknown-fields'] === true)
  )
    return out;
  return options.embedded(out);
}

function withoutExample({ example: _example, ...schema }: JSONSchema & { readonly example?: unknown }): JSONSchema {
  return schema;
}

function unfolded(schema: JSONSchema): OpenAPISchema {
  const out = Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) => value !== null && !unpublished.has(key) && !(value === false && falseIsAbsent.has(key)),
    ),
  ) as OpenAPISchema;
  if (
    out['x-kubernetes-int-or-string'] !== true ||
    saysIntegerOrString(out.anyOf) ||
    saysIntegerOrString(out.allOf?.[0]?.anyOf)
  )
    return out;
  if (out.anyOf === undefined) out.anyOf = integerOrString();
  else out.allOf = [{ anyOf: integerOrString() }, ...(out.allOf ?? [])];
  return out;
}

function saysIntegerOrString(anyOf: readonly OpenAPISchema[] | undefined): boolean {
  return anyOf?.length === 2 && anyOf[0]?.type === 'integer' && anyOf[1]?.type === 'string';
}

function forVersion2(schema: OpenAPISchema): OpenAPISchema {
  const out: OpenAPISchema = { ...schema };
  for (const junctor of junctors) delete out[junctor];
  const preserves = out['x-kubernetes-preserve-unknown-fields'] === true;
  if (out.nullable === true) {
    delete out.type;
    delete out.nullable;
  }
  if (preserves || schema.nullable === true) {
    delete out.items;
    delete out.properties;
  }
  if ((out.items === undefined && out.type === 'array') || (preserves && out.type === 'object')) delete out.type;
  let required = out.required?.filter((name) => out.properties?.[name]?.nullable !== true);
  if (typeof out.additionalProperties === 'object' && out.additionalProperties.nullable === true) required = [];
  if (required === undefined || required.length === 0) delete out.required;
  else out.required = required;
  return out;
}
