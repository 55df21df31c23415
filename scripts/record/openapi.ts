import type { OpenAPISchema } from '../generate/facts.ts';
import type { Server } from './server.ts';

interface OpenAPIDocument {
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly definitions?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenAPISchema>> };
}

export interface OpenAPIFacts {
  readonly v2: Readonly<Record<string, unknown>>;
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, readonly string[]>>;
  /** By definition, then by field; that of the definition itself is the one of the field without a name. */
  readonly descriptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What OpenAPI v2 and v3 say; descriptions by themselves. */
export async function recordOpenAPI(server: Server): Promise<OpenAPIFacts> {
  const v2 = await server.json<OpenAPIDocument>('/openapi/v2');
  const root = await server.json<{ readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>> }>(
    '/openapi/v3',
  );
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, readonly string[]> = {};
  const descriptions: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, { serverRelativeURL }] of Object.entries(root.paths)) {
    const document = await server.json<OpenAPIDocument>(serverRelativeURL);
    paths[name] = Object.keys(document.paths ?? {}).toSorted();
    for (const [definition, schema] of Object.entries(document.components?.schemas ?? {})) {
      // What several documents have, of which each names the kinds of its own group: as the first one has it.
      schemas[definition] ??= withoutDescriptions(schema);
      descriptions[definition] ??= descriptionsIn(schema);
    }
  }
  return { v2: withoutDescriptions(v2.definitions ?? {}), schemas, paths, descriptions };
}

function descriptionsIn(schema: OpenAPISchema): Readonly<Record<string, string>> {
  const described = [['', schema] as const, ...Object.entries(schema.properties ?? {})];
  return Object.fromEntries(
    described.flatMap(([name, { description }]) => (description === undefined ? [] : [[name, description]])),
  );
}

/** Without descriptions, and without what an item of a list or a member of a map would be if it were absent. */
function withoutDescriptions<T>(value: T, inside: 'properties' | 'items' | 'schema' = 'schema'): T {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutDescriptions(item)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(inside === 'items' ? itemSchema(value) : value)
    // A property may be called `description` too.
    .filter(([key, member]) => inside === 'properties' || key !== 'description' || typeof member !== 'string')
    .map(([key, member]) => [key, withoutDescriptions(member as unknown, placeOf(inside, key))]);
  return Object.fromEntries(members) as T;
}

function placeOf(inside: 'properties' | 'items' | 'schema', key: string): 'properties' | 'items' | 'schema' {
  if (inside === 'properties') return 'schema';
  if (key === 'properties') return 'properties';
  return key === 'items' || key === 'additionalProperties' ? 'items' : 'schema';
}

/** `{allOf: [{$ref}], default: {}}` is `{$ref}`. */
function itemSchema(schema: object): object {
  const { default: _, allOf, ...rest } = schema as { readonly default?: unknown; readonly allOf?: readonly object[] };
  const only = allOf?.length === 1 ? allOf[0] : undefined;
  return { ...rest, ...(only ?? (allOf === undefined ? {} : { allOf })) };
}
