import { unranged } from './json-schema-props.ts';
import type { JSONSchemaProps } from './json-schema-props.ts';

/** Whether the format of a schema means something. */
export type HasFormat = (props: JSONSchemaProps) => boolean;

/** Most of a published schema is words that only OpenAPI documents need. */
const words: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs']);

/**
 * A copy of a schema without its words, for what works with values. Where formats are those of a release before 1.36
 * (`hasFormat`), also without formats that mean nothing, and marked as `unranged`. Defaults and enums are shared with
 * the original.
 */
export function withoutWords(props: JSONSchemaProps, hasFormat?: HasFormat): JSONSchemaProps {
  const lean: Record<string | symbol, unknown> = hasFormat === undefined ? {} : { [unranged]: true };
  for (const [keyword, value] of Object.entries(props))
    if (!words.has(keyword) && (keyword !== 'format' || hasFormat === undefined || hasFormat(props)))
      lean[keyword] =
        keyword === 'properties'
          ? ofProperties(value as JSONSchemaProps['properties'], hasFormat)
          : below(keyword, value, hasFormat);
  return lean;
}

function ofProperties(
  properties: JSONSchemaProps['properties'],
  hasFormat: HasFormat | undefined,
): Record<string, JSONSchemaProps> {
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, props]) => [name, withoutWords(props, hasFormat)]),
  );
}

/** Schemas below a keyword; defaults and enums are values, in which every word counts. */
function below(keyword: string, value: unknown, hasFormat: HasFormat | undefined): unknown {
  switch (keyword) {
    case 'items':
    case 'not':
    case 'additionalProperties':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? withoutWords(value as JSONSchemaProps, hasFormat)
        : value;
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? value.map((props: JSONSchemaProps) => withoutWords(props, hasFormat)) : value;
    default:
      return value;
  }
}
