import type { Field, Schema } from '@kubechain/apimachinery';

/** What strategic merge knows of a field. */
export type FieldTraits = { readonly [trait in 'patchMergeKey' | 'patchStrategy']?: Field[trait] | undefined };

/**
 * What decides how values of a schema are read, merged, applied and written, whatever field they are of: types, formats
 * and validations of definitions, list and map types, merge keys. Fields of one shape differ in nothing but the rules
 * that are written for them by name.
 */
export function shapeOf(schema: Schema, { patchMergeKey, patchStrategy }: FieldTraits = {}): string {
  const traits = [
    ...(patchStrategy ?? []),
    ...(patchMergeKey === undefined ? [] : ['by key']),
    ...(schema.nullable === true ? ['nullable'] : []),
    ...(schema.validation === undefined ? [] : [JSON.stringify(schema.validation)]),
  ];
  return [own(schema), ...traits].join(' ');
}

function own(schema: Schema): string {
  switch (schema.kind) {
    case 'scalar':
      return schema.enum === undefined ? schema.type : `${schema.type} enum`;
    case 'list':
      return (
        `${schema.listType} of ${schema.items.kind === 'scalar' ? own(schema.items) : schema.items.kind}` +
        `${schema.mapKeys.length > 1 ? ' by keys' : ''}${schema.protobufWrapped === true ? ' wrapped' : ''}`
      );
    case 'map':
      return `${schema.mapType} map of ${schema.values.kind === 'scalar' ? own(schema.values) : schema.values.kind}`;
    case 'struct':
      return `${schema.mapType} struct`;
    case 'any':
      return 'any';
    default:
      return schema satisfies never;
  }
}
