import { builtInSchema } from './built-in-schema.ts';
import type { DocumentOptions } from './document-v3.ts';
import { eachReference, sorted, v2Prefix, v3Prefix } from './open-api-schema.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { byPath, commonParameters, methods } from './route.ts';
import type { Parameter, Route } from './route.ts';
import { inOrder } from './schema-order.ts';
import { goJSON } from './stored-document.ts';

/** A Swagger 2.0 document. */
export interface DocumentV2 {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly definitions?: Readonly<Record<string, OpenAPISchema>>;
  readonly parameters?: Readonly<Record<string, object>>;
  readonly securityDefinitions?: object;
  readonly security?: readonly object[];
}

/**
 * Makes a document of routes and of everything that they refer to (kube-openapi's builder, 1.36); shared parameters are
 * referred to.
 */
export function documentV2(routes: readonly Route[], options: DocumentOptions): DocumentV2 {
  const shared = new SharedParameters();
  const paths = Object.fromEntries(byPath(routes).map(([path, ofPath]) => [path, pathItem(ofPath, shared)]));
  const parameters = shared.definitions();
  return {
    swagger: '2.0',
    info: options.info,
    paths,
    definitions: definitions([paths, parameters], options),
    parameters,
    ...(options.secured === false
      ? {}
      : {
          securityDefinitions: {
            BearerToken: {
              description: 'Bearer Token authentication',
              type: 'apiKey',
              name: 'authorization',
              in: 'header',
            },
          },
          security: [{ BearerToken: [] }],
        }),
  };
}

function pathItem(routes: readonly Route[], shared: SharedParameters): Record<string, unknown> {
  const { common, own } = commonParameters(routes);
  const item: Record<string, unknown> = {};
  for (const method of methods) {
    const route = routes.find((candidate) => candidate.method === method);
    if (route !== undefined) item[method] = operation(route, own(route), shared);
  }
  if (common.length > 0) item['parameters'] = common.map((parameter) => shared.of(parameterV2(parameter)));
  return item;
}

function operation(route: Route, own: readonly Parameter[], shared: SharedParameters): object {
  const responses: Record<string, object> = {};
  for (const { code, definition, description } of route.responses)
    responses[code] = {
      description,
      schema: definition === undefined ? { type: 'string' } : { $ref: v2Prefix + definition },
    };
  responses[401] = { description: 'Unauthorized' };
  const parameters: ParameterV2[] = own.map(parameterV2);
  if (route.body !== undefined)
    parameters.push({
      name: 'body',
      in: 'body',
      ...(route.body.required ? { required: true } : {}),
      schema: { $ref: v2Prefix + route.body.definition },
    });
  parameters.sort((a, b) => (a.name < b.name || (a.name === b.name && a.in < b.in) ? -1 : 1));
  return {
    ...(route.description === '' ? {} : { description: route.description }),
    ...(route.consumes.length === 0 ? {} : { consumes: route.consumes }),
    ...(route.produces.length === 0 ? {} : { produces: route.produces }),
    schemes: ['https'],
    tags: [route.tag],
    operationId: route.operationId,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map((parameter) => shared.of(parameter)) }),
    responses,
    ...(route.action === undefined ? {} : { 'x-kubernetes-action': route.action }),
    ...(route.gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': sorted(Object.entries(route.gvk)) }),
  };
}

interface ParameterV2 {
  readonly uniqueItems?: boolean;
  readonly type?: string;
  readonly description?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: OpenAPISchema;
}

function parameterV2({ description, in: place, name, type }: Parameter): ParameterV2 {
  return {
    uniqueItems: true,
    type,
    ...(description === undefined || description === '' ? {} : { description }),
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
  };
}

/** Parameters that many operations have, named after a hash of their JSON (kube-openapi/pkg/builder/parameters.go). */
class SharedParameters {
  readonly #byJSON = new Map<string, { readonly name: string; readonly parameter: ParameterV2 }>();

  /** The parameter, or a reference to it where it can be shared. */
  of(parameter: ParameterV2): object {
    if (!isShared(parameter)) return parameter;
    const json = goJSON(parameter);
    let entry = this.#byJSON.get(json);
    if (entry === undefined) this.#byJSON.set(json, (entry = { name: `${parameter.name}-${hashOf(json)}`, parameter }));
    return { $ref: `#/parameters/${entry.name}` };
  }

  definitions(): Record<string, ParameterV2> {
    return sorted([...this.#byJSON.values()].map(({ name, parameter }): [string, ParameterV2] => [name, parameter]));
  }
}

/** Names and bodies speak of one kind; old kubectls look for dryRun and fieldValidation in the operation itself. */
function isShared({ in: place, name, schema }: ParameterV2): boolean {
  if (name === 'name') return false;
  if (place === 'query' && (name === 'fieldValidation' || name === 'dryRun')) return false;
  return !(place === 'body' && schema?.$ref?.startsWith(`${v2Prefix}io.k8s.apimachinery`) !== true);
}

const fnvOffset = 0xcbf29ce484222325n;
const fnvPrime = 0x100000001b3n;

/** The first six bytes of the FNV-1 hash, in URL-safe base64. */
function hashOf(text: string): string {
  let hash = fnvOffset;
  for (const byte of Buffer.from(text)) hash = ((hash * fnvPrime) & 0xffffffffffffffffn) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}

function definitions(
  value: unknown,
  options: Pick<DocumentOptions, 'descriptions' | 'release' | 'schemas'>,
): Record<string, OpenAPISchema> {
  const found = new Map<string, OpenAPISchema>();
  const visit = (definition: string): void => {
    if (found.has(definition)) return;
    const custom = options.schemas?.get(definition);
    const schema =
      custom === undefined
        ? schemaV2(builtInSchema(definition, options.descriptions, options.release), definition)
        : inOrder(withoutDefaults(custom));
    found.set(definition, schema);
    eachReference(schema, visit);
  };
  eachReference(value, visit);
  for (const name of options.schemas?.keys() ?? []) visit(name);
  return sorted(found);
}

/** Version 2 knows no oneOf: types that are text or number are text. */
const textOnly: ReadonlyMap<string, OpenAPISchema> = new Map<string, OpenAPISchema>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { type: 'string' }],
  ['io.k8s.apimachinery.pkg.util.intstr.IntOrString', { type: 'string', format: 'int-or-string' }],
]);

/** A version 3 schema as version 2 has it: references with siblings, no defaults. */
function schemaV2(schema: OpenAPISchema, definition: string): OpenAPISchema {
  const plain = textOnly.get(definition);
  if (plain !== undefined)
    return { ...(schema.description === undefined ? {} : { description: schema.description }), ...plain };
  return inOrder(withoutDefaults(schema));
}

/** Unwraps `allOf` of one reference and prunes defaults, at all depths. */
function withoutDefaults(schema: OpenAPISchema): OpenAPISchema {
  const { allOf, default: _default, ...rest } = schema;
  const out: OpenAPISchema = { ...rest };
  const only = allOf?.length === 1 ? allOf[0]?.$ref : undefined;
  if (only !== undefined) out.$ref = asV2(only);
  else if (allOf !== undefined) out.allOf = allOf.map(withoutDefaults);
  if (schema.$ref !== undefined) out.$ref = asV2(schema.$ref);
  if (schema.items !== undefined) out.items = withoutDefaults(schema.items);
  if (typeof schema.additionalProperties === 'object')
    out.additionalProperties = withoutDefaults(schema.additionalProperties);
  if (schema.properties !== undefined)
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, withoutDefaults(property)]),
    );
  return out;
}

function asV2(reference: string): string {
  return reference.startsWith(v3Prefix) ? v2Prefix + reference.slice(v3Prefix.length) : reference;
}
