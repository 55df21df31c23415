import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinition, JSONSchemaProps } from './crd-types.ts';

/** Most of a published CRD is words that only OpenAPI documents need. */
const words: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);

/**
 * A CRD as it is kept in memory while it is served: without the words of its schemas and without managedFields. Takes the
 * argument over. `known`, the same of before, shares its spec where that has not changed.
 */
export function leanCRD(crd: CustomResourceDefinition, known?: CustomResourceDefinition): CustomResourceDefinition {
  const { managedFields: _managedFields, ...metadata } = crd.metadata;
  const sameSpec = known !== undefined && known.metadata.uid === metadata.uid && known.metadata.generation === metadata.generation;
  const versions = crd.spec.versions.map(({ schema, ...version }) => ({ ...version, ...(schema?.openAPIV3Schema === undefined ? {} : { schema: { openAPIV3Schema: withoutWords(schema.openAPIV3Schema) } }) }));
  const spec = { ...crd.spec, versions };
  return { ...crd, metadata, spec: sameSpec && isDeepStrictEqual(known.spec, spec) ? known.spec : spec };
}

function withoutWords(props: JSONSchemaProps): JSONSchemaProps {
  const lean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(props)) if (!words.has(keyword)) lean[keyword] = keyword === 'properties' ? ofProperties(value as JSONSchemaProps['properties']) : below(keyword, value);
  return lean;
}

function ofProperties(properties: JSONSchemaProps['properties']): Record<string, JSONSchemaProps> {
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, props]) => [name, withoutWords(props)]));
}

/** Schemas below a keyword; defaults and enums are values, in which every word counts. */
function below(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'items': case 'not': case 'additionalProperties': return typeof value === 'object' && value !== null && !Array.isArray(value) ? withoutWords(value as JSONSchemaProps) : value;
    case 'allOf': case 'anyOf': case 'oneOf': return Array.isArray(value) ? value.map((props: JSONSchemaProps) => withoutWords(props)) : value;
    default: return value;
  }
}
