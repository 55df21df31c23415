import type { DocumentV2 } from './document-v2.ts';
import { v2Prefix, v3Prefix } from './open-api-schema.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { inOrder } from './schema-order.ts';

type JSONObject = Readonly<Record<string, unknown>>;

/**
 * A version 2 document of a server that has no version 3, as version 3 (kube-openapi's openapiconv, 1.36). What
 * version 3 says otherwise than schemas, paths, parameters, responses and security is left out.
 */
export function convertV2(document: DocumentV2): object {
  const { definitions, securityDefinitions } = document;
  const components = {
    ...(definitions === undefined ? {} : { schemas: mapValues(definitions, schema) }),
    ...(securityDefinitions === undefined
      ? {}
      : {
          securitySchemes: mapValues(securityDefinitions as Record<string, JSONObject>, (scheme) =>
            pick(scheme, ['type', 'description', 'name', 'in']),
          ),
        }),
  };
  return { openapi: '3.0.0', info: document.info, paths: mapValues(document.paths, pathItem), components };
}

function pathItem(item: JSONObject): JSONObject {
  return Object.fromEntries(
    ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'parameters'].flatMap((key): [string, unknown][] => {
      const value = item[key];
      if (value === undefined) return [];
      return [[key, key === 'parameters' ? (value as JSONObject[]).map(parameter) : operation(value as JSONObject)]];
    }),
  );
}

function operation(from: JSONObject): JSONObject {
  const parameters = (from['parameters'] ?? []) as JSONObject[];
  const body = parameters.find((candidate) => candidate['name'] === 'body' && candidate['schema'] !== undefined);
  const others = parameters.filter((candidate) => candidate !== body).map(parameter);
  const produces = (from['produces'] ?? []) as string[];
  return {
    ...pick(from, ['tags', 'summary', 'description', 'externalDocs', 'operationId']),
    ...(others.length === 0 ? {} : { parameters: others }),
    ...(body === undefined
      ? {}
      : { requestBody: content((from['consumes'] ?? []) as string[], body['schema'] as OpenAPISchema) }),
    responses: mapValues((from['responses'] ?? {}) as Record<string, JSONObject>, (response) => ({
      ...pick(response, ['description']),
      ...(response['schema'] === undefined || produces.length === 0
        ? {}
        : content(produces, response['schema'] as OpenAPISchema)),
    })),
    ...pick(from, ['deprecated']),
    ...extensions(from),
  };
}

function content(types: readonly string[], of: OpenAPISchema): JSONObject {
  return types.length === 0
    ? {}
    : { content: Object.fromEntries([...types].sort().map((type) => [type, { schema: schema(of) }])) };
}

function parameter(from: JSONObject): JSONObject {
  if (typeof from['$ref'] === 'string')
    return { $ref: from['$ref'].replace('#/parameters/', '#/components/parameters/') };
  const own =
    from['schema'] === undefined
      ? pick(from, ['type', 'format', 'uniqueItems'])
      : schema(from['schema'] as OpenAPISchema);
  return { ...pick(from, ['name', 'in', 'description', 'required', 'allowEmptyValue']), schema: own };
}

/** References point elsewhere in version 3, and stand alone. */
function schema(from: OpenAPISchema): OpenAPISchema {
  const { $ref, ...rest } = from;
  const out: OpenAPISchema = { ...rest, ...extensions(rest) };
  if (from.properties !== undefined) out.properties = mapValues(from.properties, schema);
  if (from.items !== undefined) out.items = schema(from.items);
  if (typeof from.additionalProperties === 'object') out.additionalProperties = schema(from.additionalProperties);
  if ($ref === undefined) return inOrder(out);
  const reference = { $ref: $ref.replace(v2Prefix, v3Prefix) };
  return Object.keys(out).length === 0 ? reference : inOrder({ ...out, allOf: [reference] });
}

/** Extensions are maps to the reference, which it writes in order. */
function extensions(from: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(from)
      .filter(([key]) => key.startsWith('x-'))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]: [string, unknown]) => [key, withSortedKeys(value)]),
  );
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(withSortedKeys) : mapValues(value as Record<string, unknown>, withSortedKeys);
}

function pick(from: JSONObject, keys: readonly string[]): JSONObject {
  return Object.fromEntries(
    keys.flatMap((key): [string, unknown][] =>
      from[key] === undefined || from[key] === false || from[key] === '' ? [] : [[key, from[key]]],
    ),
  );
}

function mapValues<A, B>(from: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(
    Object.entries(from)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => [key, change(value)]),
  );
}
