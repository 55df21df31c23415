import type { JSONSchemaProps } from './json-schema-props.ts';

/** Most of a published schema is words that only OpenAPI documents need. */
const words: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);

/**
 * A copy of a schema without its words, for what works with values. Defaults and enums are shared with the original.
 */
export function withoutWords(props: JSONSchemaProps): JSONSchemaProps {
  const lean: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(props))
    if (!words.has(keyword))
      lean[keyword] =
        keyword === 'properties' ? ofProperties(value as JSONSchemaProps['properties']) : below(keyword, value);
  return lean;
}

function ofProperties(properties: JSONSchemaProps['properties']): Record<string, JSONSchemaProps> {
  return Object.fromEntries(Object.entries(properties ?? {}).map(([name, props]) => [name, withoutWords(props)]));
}

/** Schemas below a keyword; defaults and enums are values, in which every word counts. */
function below(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'items':
    case 'not':
    case 'additionalProperties':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withoutWords(value as JSONSchemaProps)
        : value;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? value.map((props: JSONSchemaProps) => withoutWords(props)) : value;
    default:
      return value;
  }
}
