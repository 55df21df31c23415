import type { ManagedFieldsEntry } from '../../object/object.ts';
import type { Field, Schema } from '../../schema/schema.ts';
import { pathText, pathsOf } from '../field-set.ts';
import type { FieldSet } from '../field-set.ts';
import { fromFieldsV1 } from '../fields-v1.ts';

/** A kind with every form of list, map and field, for specs of ownership and of merging. */
export const string: Schema = { kind: 'scalar', type: 'string' };
export const int: Schema = { kind: 'scalar', type: 'int32' };
export const field = (name: string, schema: Schema, rest: Partial<Field> = {}): [string, Field] => [
  name,
  { name, schema, required: false, ...rest },
];
export const struct = (fields: [string, Field][], mapType: 'granular' | 'atomic' = 'granular'): Schema => ({
  kind: 'struct',
  mapType,
  fields: new Map(fields),
});
export const map = (mapType: 'granular' | 'atomic' = 'granular'): Schema => ({ kind: 'map', values: string, mapType });
export const list = (items: Schema, listType: 'atomic' | 'set' | 'map', ...mapKeys: string[]): Schema => ({
  kind: 'list',
  items,
  listType,
  mapKeys,
});

export const metadata = struct([
  field('name', string),
  field('namespace', string),
  field('uid', string),
  field('resourceVersion', string),
  field('labels', map()),
  field('annotations', map()),
  field('finalizers', list(string, 'set')),
  field('managedFields', list({ kind: 'any', mapType: 'granular' }, 'atomic')),
]);
export const port = struct([field('port', int), field('protocol', string, { default: 'TCP' }), field('name', string)]);
export const container = struct([
  field('name', string, { zero: '' }),
  field('image', string),
  field('ports', list(port, 'map', 'port', 'protocol')),
  field('args', list(string, 'atomic')),
  field('resources', struct([field('cpu', string)]), { zero: {} }),
]);
export const specFields = [
  field('replicas', int),
  field('selector', map('atomic')),
  field('containers', list(container, 'map', 'name')),
  field('free', { kind: 'any', mapType: 'granular' }),
  field('strategy', struct([field('type', string)])),
  field('volumes', list(struct([field('id', string), field('size', string)]), 'map', 'id')),
];
export const rootOf = (spec: [string, Field][]): Schema =>
  struct([
    field('apiVersion', string),
    field('kind', string),
    field('metadata', metadata, { zero: {} }),
    field('spec', struct(spec), { zero: {} }),
    field('data', map()),
    field('status', struct([field('phase', string)]), { zero: {} }),
  ]);
export const root = rootOf(specFields);

export const texts = (set: FieldSet): string[] => [...pathsOf(set)].map(pathText);
export const fields = (entry: ManagedFieldsEntry | undefined): string[] => texts(fromFieldsV1(entry?.fieldsV1));
