import { isPlainObject } from '../object/is-plain-object.ts';
import type { Schema } from '../schema/schema.ts';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';

/** Where metadata of other objects is below a schema: that of templates. */
interface Way {
  readonly isMetadata: boolean;
  /** By name; of a list, its items. */
  readonly fields: ReadonlyMap<string, Way>;
  readonly items: Way | undefined;
}

const none: Way = { isMetadata: false, fields: new Map(), items: undefined };
const metadata: Way = { ...none, isMetadata: true };
const ways = new WeakMap<Schema, Way>();

/**
 * Whether an object of a built-in kind holds managed fields beside its own, as templates may. Go keeps there what it is
 * given, so that it may not be the object that the schema has.
 */
export function holdsForeignManagedFields(schema: Schema, object: object): boolean {
  let way = ways.get(schema);
  if (way === undefined) ways.set(schema, (way = wayOf(schema, new Set(), true)));
  return way !== none && isHeld(way, object);
}

function isHeld({ fields, isMetadata, items }: Way, value: unknown): boolean {
  if (Array.isArray(value)) return items !== undefined && value.some((item) => isHeld(items, item));
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
      return items === none ? none : { ...none, items };
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
