import type { JSONSchemaProps } from './json-schema-props.ts';

/**
 * A copy of a schema whose objects keep the fields that it does not know, at every depth, as those of a CRD do that
 * still says `preserveUnknownFields`.
 */
export function keepingUnknown(props: JSONSchemaProps): JSONSchemaProps {
  const { additionalProperties, items, properties, type } = props;
  return {
    ...props,
    ...((type === undefined || type === 'object') && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(isSchema(items) && { items: keepingUnknown(items) }),
    ...(isSchema(additionalProperties) && { additionalProperties: keepingUnknown(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, below]) => [name, keepingUnknown(below)])),
    }),
  };
}

function isSchema(value: unknown): value is JSONSchemaProps {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
