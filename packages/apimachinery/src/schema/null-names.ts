import type { Schema } from './schema.ts';

/**
 * Names of members that Go's encoder may write as `null` in an object of this schema: unset pointers, lists, maps and
 * times without omitempty. No other member, no item and no value of a map is `null` in what it writes. Names that mean
 * other members elsewhere in the schema are not told.
 */
export function nullNames(root: Schema): ReadonlySet<string> {
  const names = new Set<string>();
  const others = new Set<string>();
  const seen = new Set<Schema>([root]);
  // A set can be added to while it is gone through.
  for (const schema of seen) {
    if (schema.kind === 'list') seen.add(schema.items);
    else if (schema.kind === 'map') seen.add(schema.values);
    else if (schema.kind === 'struct')
      for (const { name, schema: member, zero } of schema.fields.values()) {
        (zero === null ? names : others).add(name);
        seen.add(member);
      }
  }
  return names.difference(others);
}
