import { meta } from './meta-definitions.ts';
import { builtinRelease } from '@kubechain/apimachinery';
import type { Field, Release } from '@kubechain/apimachinery';
import type { DescriptionSource } from './built-in-schema.ts';
import type { Parameter } from './route.ts';

/** Definitions of the options that requests take in their query. */
export const optionsDefinitions = {
  get: `${meta}GetOptions`,
  list: `${meta}ListOptions`,
  create: `${meta}CreateOptions`,
  update: `${meta}UpdateOptions`,
  patch: `${meta}PatchOptions`,
  delete: `${meta}DeleteOptions`,
} as const;

/**
 * The members of an options kind as query parameters (AddObjectParams of apiserver/pkg/endpoints/installer.go, 1.36);
 * structs are left out.
 */
export function optionsParameters(
  definition: string,
  descriptions: DescriptionSource,
  { except = [], release = builtinRelease }: { readonly except?: readonly string[]; readonly release?: Release } = {},
): Parameter[] {
  const schema = release.schemaFor(definition);
  if (schema.kind !== 'struct') return [];
  const parameters: Parameter[] = [];
  for (const field of schema.fields.values()) {
    const type = typeOf(field.schema);
    if (type === undefined || field.embedded !== undefined || except.includes(field.name)) continue;
    parameters.push(parameter(field.name, type, descriptions, definition));
  }
  return parameters;
}

/** A query parameter with the text that is known for its name, in options of `definition`. */
export function parameter(
  name: string,
  type: Parameter['type'],
  descriptions: DescriptionSource,
  definition?: string,
): Parameter {
  const description = descriptions.parameter(name, definition);
  return { name, in: 'query', type, ...(description === undefined ? {} : { description }) };
}

function typeOf(schema: Field['schema']): Parameter['type'] | undefined {
  switch (schema.kind) {
    // Given several times, each time as one of its items.
    case 'list':
      return typeOf(schema.items);
    case 'scalar':
      switch (schema.type) {
        case 'boolean':
          return 'boolean';
        case 'int32':
        case 'int64':
        case 'integer':
          return 'integer';
        case 'string':
          return 'string';
        default:
          return undefined;
      }
    case 'struct':
    case 'map':
    case 'any':
      return undefined;
  }
  return schema satisfies never;
}
