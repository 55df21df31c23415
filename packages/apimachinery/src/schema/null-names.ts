import type { Schema } from './schema.ts';

/**
 * Names of members that Go's encoder may write as `null` in an object of this schema: unset pointers, lists, maps and
 * times without omitempty. No other member, no item and no value of a map is `null` in what it writes. Not told are
 * members that an object must have, which no rules let be `null`, and names that mean others elsewhere in the schema.
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
      for (const { name, required, schema: member, zero } of schema.fields.values()) {
        (zero === null && !required ? names : others).add(name);
        seen.add(member);
      }
  }
  return names.difference(others);
}
