import type { KindInfo, ListSchema, ScalarSchema, Schema, StructSchema } from '@kubechain/apimachinery';

/** A text, a switch and a Go duration of a configuration file. */
export const textSchema: ScalarSchema = { kind: 'scalar', type: 'string' };
export const switchSchema: ScalarSchema = { kind: 'scalar', type: 'boolean' };
export const durationSchema: ScalarSchema = { kind: 'scalar', type: 'duration' };

/** A list of one shape. */
export function listSchema(items: Schema): ListSchema {
  return { kind: 'list', items, listType: 'atomic', mapKeys: [], goType: `[]${items.goType ?? 'string'}` };
}

/**
 * A Go struct; errors name it by its type (`v1.Issuer`). Values stay as they are written, empty ones too, so that what
 * is absent can be told from what is empty.
 */
export function structSchema(goType: string, fields: Readonly<Record<string, Schema>>): StructSchema {
  return {
    kind: 'struct',
    goType,
    mapType: 'granular',
    fields: new Map(
      Object.entries(fields).map(([name, schema]) => [name, { name, schema, required: false, pointer: true }]),
    ),
  };
}

/** One kind in each of `versions`, with fields that name their Go types by version. */
export function configurationKinds(
  { group, kind, versions }: { readonly group: string; readonly kind: string; readonly versions: readonly string[] },
  fieldsOf: (version: string) => Readonly<Record<string, Schema>>,
): KindInfo[] {
  return versions.map((version) => ({
    gvk: { group, version, kind },
    goType: `${version}.${kind}`,
    schema: structSchema(`${version}.${kind}`, { apiVersion: textSchema, kind: textSchema, ...fieldsOf(version) }),
  }));
}
