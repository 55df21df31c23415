import { FieldPath, goQuote } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf, propertyOf } from './json-schema-props.ts';

/** Where a path through a schema leads. */
export interface ResolvedFieldPath {
  readonly path: FieldPath;
  readonly schema: JSONSchemaProps;
  /** The first field. */
  readonly root: string;
}

/** How paths are written, and what is known of the schemas that they go through. */
export interface FieldPathOptions {
  readonly brackets: boolean;
  /** Which have properties: counting those of one takes time in proportion to them. Shared by who follows many paths. */
  readonly filled?: Map<JSONSchemaProps, boolean>;
}

/**
 * Follows a path such as `.spec.color` or `.spec['a.b']` through properties and maps of a schema
 * (apiserver/schema/cel ValidFieldPath, 1.36). The result is where it leads, or the text of what is wrong with it.
 */
export function resolveFieldPath(
  text: string,
  root: JSONSchemaProps,
  { brackets, filled = new Map() }: FieldPathOptions,
): ResolvedFieldPath | string {
  const tokens = tokensOf(text);
  let schema = root;
  let path = FieldPath.root;
  let first: string | undefined;
  let at = 0;
  while (at < tokens.length) {
    const opening = tokens[at++] ?? '';
    let name: string;
    if (opening === '[') {
      if (!brackets) return 'array notation is not allowed';
      const token = tokens[at++];
      if (token === undefined) return 'unexpected end of JSON path';
      if (token.length < 2 || !token.startsWith("'") || !token.endsWith("'"))
        return `expected single quoted string but got ${token}`;
      name = token.slice(1, -1);
      const escape = /\\(?![\\'])(.?)/s.exec(name.replaceAll('\\\\', '').replaceAll("\\'", ''));
      if (escape !== null)
        return `invalid string literal: unrecognized escape sequence: ${goQuote(`\\${escape[1] ?? ''}`)}`;
      name = name.replace(/\\([\\'])/g, '$1');
    } else if (opening === '.') {
      const token = tokens[at++];
      if (token === undefined) return 'unexpected end of JSON path';
      name = token;
    } else return `expected [ or . but got: ${opening}`;
    const next = step(schema, name, filled);
    if (next === undefined) return 'does not refer to a valid field';
    path = next.named ? path.child(name) : path.key(name);
    schema = next.schema;
    first ??= name;
    if (opening === '[') {
      const closing = tokens[at++];
      if (closing === undefined) return 'unexpected end of JSON path';
      if (closing !== ']') return `expected ] but got ${closing}`;
    }
  }
  return { path, schema, root: first ?? '' };
}

function step(
  schema: JSONSchemaProps,
  name: string,
  filled: Map<JSONSchemaProps, boolean>,
): { readonly schema: JSONSchemaProps; readonly named: boolean } | undefined {
  const found = propertyOf(schema, name);
  if (found !== undefined) return { schema: found, named: true };
  if (hasProperties(schema, filled)) return undefined;
  if (schema.additionalProperties === undefined) return undefined;
  return { schema: additionalOf(schema) ?? {}, named: false };
}

function hasProperties(schema: JSONSchemaProps, filled: Map<JSONSchemaProps, boolean>): boolean {
  let known = filled.get(schema);
  if (known === undefined) filled.set(schema, (known = Object.keys(schema.properties ?? {}).length > 0));
  return known;
}

/** Delimiters, quoted strings and what is between them. */
function tokensOf(text: string): readonly string[] {
  return text.match(/[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]]+/gs) ?? [];
}
