import type { Schema, StructSchema } from '@kubechain/apimachinery';

/** Told of each field that is removed, with its path, e.g. `spec.items[0].color`. */
export type OnPruned = (path: string) => void;

/** Removes in place what the schema does not know (apiserver/schema/pruning, 1.36). Returns nothing: the object is changed. */
export function prune(object: Record<string, unknown>, schema: StructSchema, onPruned?: OnPruned): void {
  pruneStruct(object, schema, '', onPruned);
}

function pruneValue(value: unknown, schema: Schema, path: string, onPruned: OnPruned | undefined): void {
  switch (schema.kind) {
    case 'struct':
      if (isObject(value)) pruneStruct(value, schema, path, onPruned);
      return;
    case 'map':
      if (isObject(value)) for (const key of Object.keys(value)) pruneValue(value[key], schema.values, `${path}.${key}`, onPruned);
      return;
    case 'list':
      if (Array.isArray(value)) value.forEach((item, index) => pruneValue(item, schema.items, `${path}[${index}]`, onPruned));
      return;
    case 'scalar':
    case 'any': return;
    default: schema satisfies never;
  }
}

function pruneStruct(object: Record<string, unknown>, schema: StructSchema, path: string, onPruned: OnPruned | undefined): void {
  for (const key of Object.keys(object)) {
    const field = schema.fields.get(key);
    const at = path === '' ? key : `${path}.${key}`;
    if (field !== undefined) {
      if (!(schema.embeddedResource === true && key === 'metadata')) pruneValue(object[key], field.schema, at, onPruned);
    } else if (schema.preserveUnknown !== true) {
      delete object[key];
      onPruned?.(at);
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
