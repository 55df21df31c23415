/**
 * An OpenAPI schema as it goes out. Builders set members in the order of the reference's encoder, so that documents
 * have its bytes.
 */
export interface OpenAPISchema {
  $ref?: string;
  description?: string;
  type?: string;
  nullable?: boolean;
  format?: string;
  title?: string;
  default?: unknown;
  uniqueItems?: boolean;
  enum?: readonly unknown[];
  required?: readonly string[];
  items?: OpenAPISchema;
  allOf?: readonly OpenAPISchema[];
  oneOf?: readonly OpenAPISchema[];
  anyOf?: readonly OpenAPISchema[];
  not?: OpenAPISchema;
  properties?: Record<string, OpenAPISchema>;
  additionalProperties?: OpenAPISchema | boolean;
  [extension: `x-${string}`]: unknown;
}

/** Where version 3 documents keep their schemas. */
export const v3Prefix = '#/components/schemas/';
/** Where version 2 documents keep theirs. */
export const v2Prefix = '#/definitions/';

/** Calls `visit` with the definition name of each reference below a JSON value. */
export function eachReference(value: unknown, visit: (definition: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) eachReference(item, visit);
    return;
  }
  for (const [key, member] of Object.entries(value)) {
    if (key === '$ref' && typeof member === 'string') {
      if (member.startsWith(v3Prefix)) visit(member.slice(v3Prefix.length));
      else if (member.startsWith(v2Prefix)) visit(member.slice(v2Prefix.length));
    } else {
      eachReference(member, visit);
    }
  }
}

/** A copy of an object with its keys in order, as Go writes maps. */
export function sorted<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
