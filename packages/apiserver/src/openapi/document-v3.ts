import type { Release } from '@kubechain/apimachinery';
import { builtInSchema } from './built-in-schema.ts';
import type { DescriptionSource } from './built-in-schema.ts';
import type { PublishedKind } from './group-version-kinds.ts';
import { eachReference, sorted, v3Prefix } from './open-api-schema.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { inOrder } from './schema-order.ts';
import { byPath, commonParameters, methods } from './route.ts';
import type { Parameter, Route } from './route.ts';

/** An OpenAPI 3.0 document. */
export interface DocumentV3 {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItemV3>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, OpenAPISchema>>;
    readonly securitySchemes?: object;
  };
}

/** Operations of a path, by method, and `parameters`. */
export type PathItemV3 = Readonly<Record<string, unknown>>;

export interface DocumentOptions {
  /** Whose definitions are meant; default: the checked-in tables' release. */
  readonly release?: Release;
  readonly descriptions: DescriptionSource;
  readonly info: { readonly title: string; readonly version: string };
  /** Group version that option kinds are listed for, besides the core group's. */
  readonly groupVersion?: { readonly group: string; readonly version: string };
  /** Schemas that are not built in, e.g. of custom resources; asked first. */
  readonly schemas?: ReadonlyMap<string, OpenAPISchema>;
  /** Documents of custom resources list the option kinds of every group version that client libraries know. */
  readonly custom?: boolean;
  /** Default: bearer tokens. */
  readonly secured?: boolean;
}

/**
 * Makes a document of routes and of everything that they refer to (kube-openapi's builder3, 1.36). Members are in the
 * reference's order.
 */
export function documentV3(routes: readonly Route[], options: DocumentOptions): DocumentV3 {
  const paths = Object.fromEntries(byPath(routes).map(([path, ofPath]) => [path, pathItem(ofPath)]));
  const schemas = components(paths, options);
  return {
    openapi: '3.0.0',
    info: options.info,
    paths,
    components: {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      ...(options.secured === false
        ? {}
        : {
            securitySchemes: {
              BearerToken: {
                type: 'apiKey',
                description: 'Bearer Token authentication',
                name: 'authorization',
                in: 'header',
              },
            },
          }),
    },
  };
}

function pathItem(routes: readonly Route[]): PathItemV3 {
  const { common, own } = commonParameters(routes);
  const item: Record<string, unknown> = {};
  for (const method of methods) {
    const route = routes.find((candidate) => candidate.method === method);
    if (route !== undefined) item[method] = operation(route, own(route));
  }
  if (common.length > 0) item['parameters'] = common.map(parameterV3);
  return item;
}

function operation(route: Route, parameters: readonly Parameter[]): object {
  const responses: Record<string, object> = {};
  for (const { code, definition, description } of route.responses)
    responses[code] = { description, content: content(route.produces, definition) };
  responses[401] = { description: 'Unauthorized' };
  return {
    tags: [route.tag],
    ...(route.description === '' ? {} : { description: route.description }),
    operationId: route.operationId,
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameterV3) }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            content: content(route.consumes, route.body.definition),
            ...(route.body.required ? { required: true } : {}),
          },
        }),
    responses,
    ...(route.action === undefined ? {} : { 'x-kubernetes-action': route.action }),
    ...(route.gvk === undefined ? {} : { 'x-kubernetes-group-version-kind': route.gvk }),
  };
}

function content(types: readonly string[], definition: string | undefined): Record<string, object> {
  const schema = definition === undefined ? { type: 'string' } : { $ref: v3Prefix + definition };
  return sorted(types.map((type) => [type, { schema }]));
}

function parameterV3({ description, in: place, name, type }: Parameter): object {
  return {
    name,
    in: place,
    ...(description === undefined || description === '' ? {} : { description }),
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  };
}

/** Schemas of all that `value` refers to, and what those refer to, by name. */
function components(
  value: unknown,
  options: Pick<DocumentOptions, 'custom' | 'descriptions' | 'groupVersion' | 'release' | 'schemas'>,
): Record<string, OpenAPISchema> {
  const found = new Map<string, OpenAPISchema>();
  const visit = (definition: string): void => {
    if (found.has(definition)) return;
    const custom = options.schemas?.get(definition);
    const schema =
      custom === undefined ? builtInSchema(definition, options.descriptions, options.release) : inOrder(custom);
    found.set(definition, withKindsOf(schema, options));
    eachReference(schema, visit);
  };
  eachReference(value, visit);
  for (const name of options.schemas?.keys() ?? []) visit(name);
  return sorted(found);
}

/** Groups that client libraries' scheme does not have. */
const serverGroups: ReadonlySet<string> = new Set([
  'admission.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'imagepolicy.k8s.io',
]);

/**
 * Option kinds are registered in every group version: a document lists its own and the core group's, or all before
 * 1.36.
 */
function withKindsOf(
  schema: OpenAPISchema,
  { custom = false, groupVersion: own, release }: Pick<DocumentOptions, 'custom' | 'groupVersion' | 'release'>,
): OpenAPISchema {
  const kinds = schema['x-kubernetes-group-version-kind'] as readonly PublishedKind[] | undefined;
  if (kinds === undefined || kinds.length < 2 || (!custom && release?.since('1.36') === false)) return schema;
  const listed = custom
    ? kinds.filter(({ group }) => !serverGroups.has(group))
    : kinds.filter(({ group, version }) => group === '' || (group === own?.group && version === own.version));
  return { ...schema, 'x-kubernetes-group-version-kind': listed };
}
