import { goQuote } from '../errors/go-format.ts';
import { StatusError } from '../errors/status.ts';
import type { Field, Schema } from '../schema/schema.ts';

/** What is merged: the shape of a value, and whether Go has it behind a pointer, which some mistakes tell. */
export interface PatchedType {
  readonly schema: Schema;
  readonly isPointer: boolean;
}

/** How a field is merged: its type (of an item, for lists), strategy and key. */
export interface FieldPatchMeta extends PatchedType {
  readonly retainKeys: boolean;
  /** `''` is the default: maps are merged, lists replaced. */
  readonly strategy: '' | 'merge' | 'replace';
  /** `''` for lists of scalars. */
  readonly mergeKey: string;
}

/** A failure that the reference answers with 500 and no reason. */
export function patchFailure(message: string): StatusError {
  return new StatusError({ status: 'Failure', message, code: 500 });
}

/** Go's reflect.Kind of what the schema stands for. */
export function goKind(schema: Schema): string {
  switch (schema.kind) {
    case 'struct':
    case 'any':
      return 'struct';
    case 'map':
      return 'map';
    case 'list':
      return 'slice';
    case 'scalar':
      switch (schema.type) {
        case 'string':
          return 'string';
        case 'boolean':
          return 'bool';
        case 'int32':
          return 'int32';
        case 'int64':
        case 'integer':
          return 'int64';
        case 'double':
        case 'number':
          return 'float64';
        case 'bytes':
          return 'slice';
        case 'time':
        case 'microTime':
        case 'duration':
        case 'quantity':
        case 'intOrString':
          return 'struct';
        default:
          return schema.type satisfies never;
      }
    default:
      return schema satisfies never;
  }
}

/**
 * The field of an object for merging below it.
 * @throws StatusError 500 for a field that the schema does not have
 */
export function lookupMap(schema: Schema, key: string): FieldPatchMeta {
  const field = findField(schema, key);
  return metaOf(field, { schema: field.schema, isPointer: field.pointer === true });
}

/**
 * The field of an object for merging a list. A pointer is taken for one to a list, whatever it points to.
 * @throws StatusError 500 for a field that the schema does not have or that is neither a list nor a pointer
 */
export function lookupList({ isPointer, schema }: PatchedType, key: string): FieldPatchMeta {
  const field = findField(schema, key);
  const items = itemsOf(field.schema);
  if (field.pointer === true) return metaOf(field, { schema: items ?? field.schema, isPointer: false });
  if (items === undefined)
    throw patchFailure(`expected slice or array type, but got: ${isPointer ? 'ptr' : goKind(schema)}`);
  if (items.kind === 'list') throw patchFailure('unexpected slice of slice');
  return metaOf(field, { schema: items, isPointer: false });
}

/** What the items of a list are: bytes are a list of them to Go. */
function itemsOf(schema: Schema): Schema | undefined {
  if (schema.kind === 'list') return schema.items;
  return schema.kind === 'scalar' && schema.type === 'bytes' ? schema : undefined;
}

function findField(schema: Schema, key: string): Field {
  if (schema.kind !== 'struct') {
    const kind = goKind(schema);
    if (kind === 'struct')
      throw patchFailure(`unable to find api field in struct RawExtension for the json field ${goQuote(key)}`);
    throw patchFailure(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  const exact = schema.fields.get(key);
  if (exact !== undefined) return exact;
  const lower = key.toLowerCase();
  for (const [name, field] of schema.fields) if (name.toLowerCase() === lower) return field;
  const goType = schema.goType ?? schema.name ?? '';
  throw patchFailure(
    `unable to find api field in struct ${goType.slice(goType.lastIndexOf('.') + 1)} for the json field ` +
      `${goQuote(key)}`,
  );
}

function metaOf(field: Field, type: PatchedType): FieldPatchMeta {
  const strategies = field.patchStrategy ?? [];
  const others = strategies.filter((strategy) => strategy !== 'retainKeys');
  if (others.length > 1) throw patchFailure(`unexpected patch strategy: [${strategies.join(' ')}]`);
  return {
    ...type,
    retainKeys: others.length < strategies.length,
    strategy: (others[0] ?? '') as FieldPatchMeta['strategy'],
    mergeKey: field.patchMergeKey ?? '',
  };
}
