import { isPlainObject } from '../object/is-plain-object.ts';
import type { ListSchema, Schema } from '../schema/schema.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Where metadata of other objects is below a schema, that of templates, and lists whose items may lack their keys. */
interface Way {
  readonly isMetadata: boolean;
  /** By name; of a list, its items. */
  readonly fields: ReadonlyMap<string, Way>;
  readonly items: Way | undefined;
  /** Keys of the items of a list that Go leaves out where they are empty. */
  readonly keys: readonly string[];
}

const none: Way = { isMetadata: false, fields: new Map(), items: undefined, keys: [] };
const metadata: Way = { ...none, isMetadata: true };
const ways = new WeakMap<Schema, Way>();

/**
 * Whether an object of a built-in kind may be other than its schema says. It holds managed fields beside its own, as
 * templates may: Go keeps there what it is given. Or an item of a list lacks a key that tells it from others.
 */
export function mayNotFit(schema: Schema, object: object): boolean {
  let way = ways.get(schema);
  if (way === undefined) ways.set(schema, (way = wayOf(schema, new Set(), true)));
  return way !== none && isHeld(way, object);
}

function isHeld({ fields, isMetadata, items, keys }: Way, value: unknown): boolean {
  if (Array.isArray(value))
    return value.some(
      (item) =>
        (isPlainObject(item) && keys.some((key) => item[key] === undefined)) ||
        (items !== undefined && isHeld(items, item)),
    );
  if (!isPlainObject(value)) return false;
  if (isMetadata) return value['managedFields'] !== undefined;
  for (const [name, way] of fields) if (value[name] !== undefined && isHeld(way, value[name])) return true;
  return false;
}

/** `above`: the schemas around this one, since schemas may hold themselves. */
function wayOf(schema: Schema, above: Set<Schema>, isRoot = false): Way {
  if (above.has(schema)) return none;
  above.add(schema);
  try {
    if (schema.kind === 'list') {
      const items = wayOf(schema.items, above);
      const keys = unsureKeys(schema);
      return items === none && keys.length === 0 ? none : { ...none, keys, ...(items === none ? {} : { items }) };
    }
    if (schema.kind !== 'struct') return none;
    if (schema.name === OBJECT_META) return metadata;
    const fields = new Map<string, Way>();
    for (const field of schema.fields.values()) {
      if (isRoot && field.name === 'metadata') continue;
      const way = wayOf(field.schema, above);
      if (way !== none) fields.set(field.name, way);
    }
    return fields.size === 0 ? none : { ...none, fields };
  } finally {
    above.delete(schema);
  }
}

function unsureKeys({ items, listType, mapKeys }: ListSchema): readonly string[] {
  if (listType !== 'map' || items.kind !== 'struct') return [];
  return mapKeys.filter((key) => {
    const field = items.fields.get(key);
    return field?.zero === undefined && field?.default === undefined;
  });
}
