import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf, itemSchemas, itemsOf } from './json-schema-props.ts';

/** Keywords, and what the reference calls them. */
const unsupported = [
  { keyword: 'id', name: 'id' },
  { keyword: '$schema', name: 'schema' },
  { keyword: '$ref', name: '$ref' },
  { keyword: 'patternProperties', name: 'patternProperties' },
  { keyword: 'dependencies', name: 'dependencies' },
  { keyword: 'additionalItems', name: 'additionalItems' },
  { keyword: 'definitions', name: 'definitions' },
] as const;

/** Why a schema cannot even be read as a structural one (apiserver/schema NewStructural, 1.36); undefined if it can. */
export function structuralProblem(props: JSONSchemaProps): string | undefined {
  const unknown = unsupported.find(({ keyword }) => isSet(keyword, props[keyword]));
  if (unknown !== undefined) return `OpenAPIV3Schema '${unknown.name}' is not supported`;
  const nested =
    problemOf(props.not) ?? firstProblem(props.allOf) ?? firstProblem(props.anyOf) ?? firstProblem(props.oneOf);
  if (nested !== undefined) return nested;
  if (props['x-kubernetes-preserve-unknown-fields'] === false)
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (itemSchemas(props).length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  return (
    problemOf(itemsOf(props)) ??
    (props.properties === undefined ? undefined : firstProblem(Object.values(props.properties))) ??
    problemOf(additionalOf(props))
  );
}

function problemOf(props: JSONSchemaProps | undefined): string | undefined {
  return props === undefined ? undefined : structuralProblem(props);
}

function firstProblem(schemas: readonly JSONSchemaProps[] | undefined): string | undefined {
  if (schemas === undefined) return undefined;
  for (const schema of schemas) {
    const problem = structuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Empty values count as unset, but for `additionalItems`: that is a pointer in Go. */
function isSet(keyword: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return keyword === 'additionalItems' || typeof value !== 'object' || Object.keys(value).length > 0;
}
