import type { CelType } from '@kubechain/cel';
import type { Client } from '../client/client.ts';
import type { GroupVersionKind } from './kinds-to-check.ts';
import { SchemaTypes, type OpenAPISchema } from './schema-type.ts';

interface Root {
  readonly paths?: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenAPISchema>> };
}

/** The type of a kind, from what the server publishes of its group version; undefined where that says nothing. */
export async function publishedType(
  client: Client,
  { group, kind, version }: GroupVersionKind,
): Promise<CelType | undefined> {
  const root = await client.json<Root>({ method: 'GET', path: '/openapi/v3' });
  const place = root.paths?.[group === '' ? `api/${version}` : `apis/${group}/${version}`];
  if (place === undefined) return undefined;
  const { components } = await client.json<Document>({ method: 'GET', path: place.serverRelativeURL });
  const schemas = components?.schemas ?? {};
  const name = Object.keys(schemas).find((each) =>
    schemas[each]?.['x-kubernetes-group-version-kind']?.some(
      (of) => of.group === group && of.version === version && of.kind === kind,
    ),
  );
  return name === undefined ? undefined : new SchemaTypes(schemas).typeOf(name, kind);
}
