import { schemaFor } from './builtin.ts';
import type { Field, Schema, StructSchema } from './schema.ts';

/**
 * The keywords of an openAPIV3Schema that say how values are built; a CRD's JSONSchemaProps is one, with more of them.
 */
export interface OpenAPIV3Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenAPIV3Schema>>;
  readonly additionalProperties?: boolean | OpenAPIV3Schema;
  readonly items?: OpenAPIV3Schema | null;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  /** Everything else: descriptions, formats, rules for values. */
  readonly [keyword: string]: unknown;
}

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const text: Schema = { kind: 'scalar', type: 'string' };

const noKeys: readonly string[] = [];

const roots = new WeakMap<OpenAPIV3Schema, StructSchema>();

/**
 * The project's form of the schema of a whole object (a CRD version's, an extension server's); undefined keeps every
 * field. Made once per schema object.
 */
export function structuralSchema(props: OpenAPIV3Schema | undefined): StructSchema {
  const key = props ?? keepEverything;
  let schema = roots.get(key);
  if (schema === undefined) roots.set(key, (schema = rootSchema(key)));
  return schema;
}

const keepEverything: OpenAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function rootSchema(props: OpenAPIV3Schema): StructSchema {
  const { fields, ...rest } = struct({ ...props, 'x-kubernetes-embedded-resource': true });
  return { ...rest, fields };
}

function convert(props: OpenAPIV3Schema): Schema {
  const common = { ...(props.nullable === true ? { nullable: true } : {}), validation: props };
  const mapType = props['x-kubernetes-map-type'] ?? 'granular';
  // It is published without a type, so that apply takes what validation refuses.
  if (props['x-kubernetes-int-or-string'] === true) return { ...common, kind: 'any', mapType };
  switch (props.type) {
    case 'string':
      return { ...common, kind: 'scalar', type: 'string' };
    case 'integer':
      return { ...common, kind: 'scalar', type: 'integer' };
    case 'number':
      return { ...common, kind: 'scalar', type: 'number' };
    case 'boolean':
      return { ...common, kind: 'scalar', type: 'boolean' };
    case 'array':
      return {
        ...common,
        kind: 'list',
        items:
          props.items === undefined || props.items === null
            ? { kind: 'any', mapType: 'granular' }
            : convert(props.items),
        listType: props['x-kubernetes-list-type'] ?? 'atomic',
        mapKeys: props['x-kubernetes-list-map-keys'] ?? noKeys,
      };
    case 'object': {
      const { additionalProperties } = props;
      if (typeof additionalProperties === 'object')
        return { ...common, kind: 'map', values: convert(additionalProperties), mapType };
      if (additionalProperties === true)
        return { ...common, kind: 'map', values: { kind: 'any', mapType: 'granular' }, mapType };
      return struct(props);
    }
    // Any value, though objects have known fields.
    default:
      return props.properties === undefined ? { ...common, kind: 'any', mapType } : struct(props);
  }
}

/** The fields of a struct are made when they are first looked at: objects touch few of a large schema. */
function struct(props: OpenAPIV3Schema): StructSchema {
  const embedded = props['x-kubernetes-embedded-resource'] === true;
  let fields: ReadonlyMap<string, Field> | undefined;
  return {
    kind: 'struct',
    get fields() {
      return (fields ??= fieldsOf(props, embedded));
    },
    mapType: props['x-kubernetes-map-type'] ?? 'granular',
    validation: props,
    ...(props.nullable === true ? { nullable: true } : {}),
    ...(props['x-kubernetes-preserve-unknown-fields'] === true ? { preserveUnknown: true } : {}),
    ...(embedded ? { embeddedResource: true } : {}),
    ...((props.type ?? '') === '' ? { typeless: true } : {}),
  };
}

function fieldsOf(props: OpenAPIV3Schema, embedded: boolean): Map<string, Field> {
  const required = new Set(props.required);
  const fields = new Map<string, Field>();
  if (embedded) {
    for (const name of ['apiVersion', 'kind']) fields.set(name, { name, schema: text, required: false });
    fields.set('metadata', { name: 'metadata', schema: schemaFor(objectMeta), required: false });
  }
  for (const [name, property] of Object.entries(props.properties ?? {})) {
    if (embedded && fields.has(name)) continue;
    fields.set(name, {
      name,
      schema: convert(property),
      required: required.has(name),
      ...('default' in property ? { default: property.default } : {}),
    });
  }
  return fields;
}
