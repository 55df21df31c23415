import type { OpenAPISchema } from './open-api-schema.ts';

/**
 * Members in the order in which Go writes them (spec.SchemaProps, kube-openapi 1.36); `$ref` and extensions, by name,
 * come last.
 */
const order = new Map<string, number>(
  [
    'id',
    'description',
    'type',
    'nullable',
    'format',
    'title',
    'default',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'pattern',
    'maxItems',
    'minItems',
    'uniqueItems',
    'multipleOf',
    'enum',
    'maxProperties',
    'minProperties',
    'required',
    'items',
    'allOf',
    'oneOf',
    'anyOf',
    'not',
    'properties',
    'additionalProperties',
    'patternProperties',
    'dependencies',
    'additionalItems',
    'definitions',
    'discriminator',
    'readOnly',
    'xml',
    'externalDocs',
    'example',
    '$ref',
    '$schema',
  ].map((name, index) => [name, index]),
);
const last = order.size;

const single: ReadonlySet<string> = new Set(['items', 'not', 'additionalProperties', 'additionalItems']);
const lists: ReadonlySet<string> = new Set(['allOf', 'oneOf', 'anyOf']);
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', 'dependencies']);

/** A copy of a schema, and of those inside it, with members in the order of the reference's encoder. */
export function inOrder(schema: OpenAPISchema): OpenAPISchema {
  const entries = Object.entries(schema).filter(([, value]) => value !== undefined);
  entries.sort(([a], [b]) => (order.get(a) ?? last) - (order.get(b) ?? last) || (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, value]): [string, unknown] => [key, member(key, value)]),
  ) as OpenAPISchema;
}

function member(key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (single.has(key))
    return Array.isArray(value) ? value.map((item: OpenAPISchema) => inOrder(item)) : inOrder(value as OpenAPISchema);
  if (lists.has(key)) return (value as OpenAPISchema[]).map(inOrder);
  if (maps.has(key))
    return Object.fromEntries(
      Object.entries(value as Record<string, OpenAPISchema>)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, item]) => [name, Array.isArray(item) ? item : inOrder(item)]),
    );
  return value;
}
