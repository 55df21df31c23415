import { schemaFor } from '@kubechain/apimachinery';
import type { Field, Schema, StructSchema } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../crd/crd-types.ts';

const objectMeta = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const text: Schema = { kind: 'scalar', type: 'string' };

const roots = new WeakMap<JSONSchemaProps, StructSchema>();

/** The project's form of a CRD version's schema; a CRD without one keeps every field. Made once per schema object. */
export function structuralSchema(props: JSONSchemaProps | undefined): StructSchema {
  const key = props ?? keepEverything;
  let schema = roots.get(key);
  if (schema === undefined) roots.set(key, schema = rootSchema(key));
  return schema;
}

const keepEverything: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function rootSchema(props: JSONSchemaProps): StructSchema {
  const { fields, ...rest } = struct({ ...props, 'x-kubernetes-embedded-resource': true });
  return { ...rest, fields };
}

function convert(props: JSONSchemaProps): Schema {
  const common = { ...(props.nullable === true ? { nullable: true } : {}), validation: props };
  const mapType = props['x-kubernetes-map-type'] ?? 'granular';
  if (props['x-kubernetes-int-or-string'] === true) return { ...common, kind: 'scalar', type: 'intOrString' };
  switch (props.type) {
    case 'string': return { ...common, kind: 'scalar', type: 'string' };
    case 'integer': return { ...common, kind: 'scalar', type: 'integer' };
    case 'number': return { ...common, kind: 'scalar', type: 'number' };
    case 'boolean': return { ...common, kind: 'scalar', type: 'boolean' };
    case 'array':
      return { ...common, kind: 'list', items: props.items === undefined ? { kind: 'any', mapType: 'granular' } : convert(props.items), listType: props['x-kubernetes-list-type'] ?? 'atomic', mapKeys: props['x-kubernetes-list-map-keys'] ?? [] };
    case 'object': {
      const { additionalProperties } = props;
      if (typeof additionalProperties === 'object') return { ...common, kind: 'map', values: convert(additionalProperties), mapType };
      if (additionalProperties === true) return { ...common, kind: 'map', values: { kind: 'any', mapType: 'granular' }, mapType };
      if (props.properties === undefined && props['x-kubernetes-preserve-unknown-fields'] === true) return { ...common, kind: 'any', mapType, ...(props['x-kubernetes-embedded-resource'] === true ? { embeddedResource: true } : {}) };
      return struct(props);
    }
    default: return { ...common, kind: 'any', mapType };
  }
}

function struct(props: JSONSchemaProps): StructSchema {
  const embedded = props['x-kubernetes-embedded-resource'] === true;
  const required = new Set(props.required);
  const fields = new Map<string, Field>();
  if (embedded) {
    for (const name of ['apiVersion', 'kind']) fields.set(name, { name, schema: text, required: false });
    fields.set('metadata', { name: 'metadata', schema: schemaFor(objectMeta), required: false });
  }
  for (const [name, property] of Object.entries(props.properties ?? {})) {
    if (embedded && fields.has(name)) continue;
    fields.set(name, { name, schema: convert(property), required: required.has(name), ...('default' in property ? { default: property.default } : {}) });
  }
  return {
    kind: 'struct', fields, mapType: props['x-kubernetes-map-type'] ?? 'granular', validation: props,
    ...(props.nullable === true ? { nullable: true } : {}),
    ...(props['x-kubernetes-preserve-unknown-fields'] === true ? { preserveUnknown: true } : {}),
    ...(embedded ? { embeddedResource: true } : {}),
  };
}
