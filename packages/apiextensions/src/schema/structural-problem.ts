import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf } from './json-schema-props.ts';

const unsupported = [['id', 'id'], ['$schema', 'schema'], ['$ref', '$ref'], ['patternProperties', 'patternProperties'], ['dependencies', 'dependencies'], ['additionalItems', 'additionalItems'], ['definitions', 'definitions']] as const;

/** Why a schema cannot even be read as a structural one (apiserver/schema NewStructural, 1.36); undefined if it can. */
export function structuralProblem(props: JSONSchemaProps): string | undefined {
  for (const [keyword, name] of unsupported) if (isSet(props[keyword])) return `OpenAPIV3Schema '${name}' is not supported`;
  for (const junctor of [props.not === undefined ? [] : [props.not], props.allOf ?? [], props.anyOf ?? [], props.oneOf ?? []]) {
    const problem = firstProblem(junctor);
    if (problem !== undefined) return problem;
  }
  if (props['x-kubernetes-preserve-unknown-fields'] === false) return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  if (Array.isArray(props.items) && props.items.length > 0) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  const additional = additionalOf(props);
  return firstProblem([...(props.items === undefined || Array.isArray(props.items) ? [] : [props.items]), ...Object.values(props.properties ?? {}), ...(additional === undefined ? [] : [additional])]);
}

function firstProblem(schemas: readonly JSONSchemaProps[]): string | undefined {
  for (const schema of schemas) {
    const problem = structuralProblem(schema);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Empty values count as unset, but for additionalItems: false. */
function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
