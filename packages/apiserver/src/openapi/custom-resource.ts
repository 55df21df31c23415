import { meta } from './meta-definitions.ts';
import { builtinRelease, type Release } from '@kubechain/apimachinery';
import type { CustomResourceOpenAPI } from '../endpoints/installer/custom-resource-open-api.ts';
import { builtInSchema } from './built-in-schema.ts';
import type { DescriptionSource } from './built-in-schema.ts';
import { customSchema } from './custom-schema.ts';
import type { JSONSchema } from './custom-schema.ts';
import { v3Prefix } from './open-api-schema.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { operationIdAndTag } from './operation-id.ts';
import { optionsDefinitions, optionsParameters, parameter } from './options-parameters.ts';
import { answers, article, namespaceText, title } from './resource-routes.ts';
import type { HttpMethod, Parameter, Route } from './route.ts';

/** The parts of OpenAPI documents that one version of a custom resource adds. */
export interface CustomResourceParts {
  readonly routes: readonly Route[];
  /** Of version 3 documents, by definition name. */
  readonly schemas: ReadonlyMap<string, OpenAPISchema>;
  /** Of version 2 documents, with version 3 references still. */
  readonly schemasV2: ReadonlyMap<string, OpenAPISchema>;
}

const types: readonly string[] = ['application/json', 'application/yaml'];
const patchTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];
const scaleDefinition = 'io.k8s.api.autoscaling.v1.Scale';
const info = 'https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md';

/** Makes what is published of a custom resource (apiextensions-apiserver/pkg/controller/openapi/builder, 1.36). */
export function openAPIForCustomResource(
  custom: CustomResourceOpenAPI,
  descriptions: DescriptionSource,
  release: Release = builtinRelease,
): CustomResourceParts {
  const reversed = custom.group.split('.').reverse().join('.');
  const name = `${reversed}.${custom.version}.${custom.kind}`;
  const listName = `${reversed}.${custom.version}.${custom.listKind}`;
  const list = listSchema(custom, name, descriptions);
  return {
    routes: routesOf(custom, { name, listName, descriptions, release }),
    schemas: new Map([
      [name, objectSchema(custom, { v2: false, descriptions, release })],
      [listName, list],
    ]),
    schemasV2: new Map([
      [name, objectSchema(custom, { v2: true, descriptions, release })],
      [listName, list],
    ]),
  };
}

/** One operation on one path. */
interface Operation {
  readonly path: string;
  readonly method: HttpMethod;
  readonly verb: string;
  readonly action: string;
  readonly codes: readonly number[];
  /** Name of the answer's definition. */
  readonly answer: string;
  readonly options: keyof typeof optionsDefinitions;
  readonly body?: NonNullable<Route['body']>;
  /** Default: none. */
  readonly subresource?: string;
  /** Default: made of verb, kind and subresource. */
  readonly operationName?: string;
}

/** Names of definitions, and what descriptions are taken from. */
interface Definitions {
  readonly name: string;
  readonly listName: string;
  readonly descriptions: DescriptionSource;
  readonly release: Release;
}

function routesOf(custom: CustomResourceOpenAPI, definitions: Definitions): Route[] {
  return operationsOf(custom, definitions).map((operation) => routeOf(custom, operation, definitions));
}

/** In the reference's order. */
function operationsOf(
  { group, kind, namespaced, plural, scale, status, version }: CustomResourceOpenAPI,
  { listName, name }: Definitions,
): Operation[] {
  const base = `/apis/${group}/${version}`;
  const collection = `${base}/${namespaced ? `namespaces/{namespace}/${plural}` : plural}`;
  const item = `${collection}/{name}`;
  const list = {
    method: 'get',
    verb: 'list',
    action: 'list',
    codes: [200],
    answer: listName,
    options: 'list',
  } as const;
  return [
    ...(namespaced ? [{ ...list, path: `${base}/${plural}`, operationName: `list${kind}ForAllNamespaces` }] : []),
    { ...list, path: collection },
    {
      path: collection,
      method: 'post',
      verb: 'create',
      action: 'post',
      codes: [200, 201, 202],
      answer: name,
      options: 'create',
      body: { definition: name, required: true },
    },
    {
      path: collection,
      method: 'delete',
      verb: 'deletecollection',
      action: 'deletecollection',
      codes: [200],
      answer: `${meta}Status`,
      options: 'list',
    },
    ...itemOperations(item, name),
    {
      path: item,
      method: 'delete',
      verb: 'delete',
      action: 'delete',
      codes: [200, 202],
      answer: `${meta}Status`,
      options: 'delete',
      body: { definition: optionsDefinitions.delete, required: false },
    },
    ...(status ? itemOperations(`${item}/status`, name, 'status') : []),
    ...(scale ? itemOperations(`${item}/scale`, scaleDefinition, 'scale') : []),
  ];
}

/** What an object and each of its subresources have: get, replace and patch. */
function itemOperations(path: string, answer: string, subresource = ''): Operation[] {
  const common = { path, answer, subresource };
  return [
    { ...common, method: 'get', verb: 'read', action: 'get', codes: [200], options: 'get' },
    {
      ...common,
      method: 'put',
      verb: 'replace',
      action: 'put',
      codes: [200, 201],
      options: 'update',
      body: { definition: answer, required: true },
    },
    {
      ...common,
      method: 'patch',
      verb: 'patch',
      action: 'patch',
      codes: [200],
      options: 'patch',
      body: { definition: `${meta}Patch`, required: true },
    },
  ];
}

function routeOf(
  { group, kind, namespaced, version }: CustomResourceOpenAPI,
  operation: Operation,
  { descriptions, release }: Definitions,
): Route {
  const { method, path, subresource = '', verb } = operation;
  const { operationId, tag } = operationIdAndTag(
    operation.operationName ?? `${verb}${namespaced ? 'Namespaced' : ''}${kind}${title(subresource)}`,
    path,
  );
  const parameters: Parameter[] = [
    parameter('pretty', 'string', descriptions),
    ...optionsParameters(optionsDefinitions[operation.options], descriptions, { release }),
  ];
  if (path.includes('{namespace}'))
    parameters.push({ name: 'namespace', in: 'path', type: 'string', description: namespaceText });
  if (path.includes('{name}'))
    parameters.push({ name: 'name', in: 'path', type: 'string', description: `name of the ${kind}` });
  return {
    method,
    path,
    operationId,
    tag,
    description: describe(verb, kind, subresource),
    consumes: method === 'patch' ? patchTypes : types,
    produces: types,
    parameters,
    ...(operation.body === undefined ? {} : { body: operation.body }),
    responses: answers(operation.codes, operation.answer),
    action: operation.action,
    gvk: { group, version, kind },
  };
}

function describe(verb: string, kind: string, subresource: string): string {
  const of = subresource === '' ? '' : ` ${subresource} of`;
  switch (verb) {
    case 'list':
      return `list${of} objects of kind ${kind}`;
    case 'read':
    case 'replace':
      return `${verb}${of} the specified ${kind}`;
    case 'patch':
      return `partially update${of} the specified ${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    default:
      return `${verb}${of} ${article(kind)}${kind}`;
  }
}

function objectSchema(
  custom: CustomResourceOpenAPI,
  {
    descriptions,
    release,
    v2,
  }: { readonly v2: boolean; readonly descriptions: DescriptionSource; readonly release: Release },
): OpenAPISchema {
  const { group, kind, schema, version } = custom;
  const given = schema as JSONSchema | undefined;
  // kubectl refuses unknown fields as soon as it sees properties: what keeps unknown fields has none in version 2.
  const open =
    given === undefined ||
    (v2 && (given['x-kubernetes-preserve-unknown-fields'] === true || custom.preserveUnknownFields === true));
  const out: OpenAPISchema = open
    ? { type: 'object' }
    : customSchema(given, {
        v2,
        examples: release.since('1.36'),
        embedded: (own) => embedded(own, descriptions),
      });
  if (!open) out.properties = { ...out.properties, ...typeMeta(descriptions), metadata: metadata(descriptions) };
  return { ...out, 'x-kubernetes-group-version-kind': [{ group, kind, version }], ...selectable(custom) };
}

function listSchema(custom: CustomResourceOpenAPI, name: string, descriptions: DescriptionSource): OpenAPISchema {
  const { group, kind, listKind, plural, version } = custom;
  const list = builtInSchema('io.k8s.api.core.v1.EndpointsList', descriptions).properties?.['metadata']?.description;
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeMeta(descriptions),
      items: { description: `List of ${plural}. More info: ${info}`, type: 'array', items: { $ref: v3Prefix + name } },
      metadata: {
        ...(list === undefined ? {} : { description: list }),
        allOf: [{ $ref: `${v3Prefix}${meta}ListMeta` }],
      },
    },
    'x-kubernetes-group-version-kind': [{ group, kind: listKind, version }],
    ...selectable(custom),
  };
}

function selectable({ selectableFields = [] }: CustomResourceOpenAPI): OpenAPISchema {
  return selectableFields.length === 0
    ? {}
    : {
        'x-kubernetes-selectable-fields': selectableFields.map(({ jsonPath }) => ({
          fieldPath: jsonPath.replace(/^\./, ''),
        })),
      };
}

/** apiVersion and kind, as every kind has them. */
function typeMeta(descriptions: DescriptionSource): Record<string, OpenAPISchema> {
  const { apiVersion = { type: 'string' }, kind = { type: 'string' } } =
    builtInSchema(optionsDefinitions.delete, descriptions).properties ?? {};
  return { apiVersion, kind };
}

function metadata(descriptions: DescriptionSource): OpenAPISchema {
  const description = builtInSchema('io.k8s.api.core.v1.ConfigMap', descriptions).properties?.['metadata']?.description;
  return { ...(description === undefined ? {} : { description }), allOf: [{ $ref: `${v3Prefix}${meta}ObjectMeta` }] };
}

/** x-kubernetes-embedded-resource implies the members of every object. */
function embedded(schema: OpenAPISchema, descriptions: DescriptionSource): OpenAPISchema {
  const required = new Set(schema.required);
  required.add('kind').add('apiVersion');
  return {
    ...schema,
    required: [...required],
    properties: {
      ...schema.properties,
      apiVersion: {
        description:
          'apiVersion defines the versioned schema of this representation of an object. More info: ' +
          `${info}#resources`,
        type: 'string',
      },
      kind: {
        description:
          'kind is a string value representing the type of this object. In CamelCase. More info: ' +
          `${info}#types-kinds`,
        type: 'string',
      },
      metadata: metadata(descriptions),
    },
  };
}
