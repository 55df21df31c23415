import type { GoFacts, GoField, GoStruct } from './facts.ts';

/**
 * Fields that releases after the reference version have added, so that objects which a newer server wrote to
 * the same storage pass through unharmed. They are optional here, and served only to who sends them.
 */
const NEWER_FIELDS: Readonly<Record<string, readonly GoField[]>> = {
  // storage/v1 CSINode.status, k8s.io/api v1.37 types.go; recorded in its testdata for v1.36 objects.
  'io.k8s.api.storage.v1.CSINode': [{ n: 'status', t: '*@io.k8s.api.storage.v1.CSINodeStatus', num: 3, o: 1 }],
};
const NEWER_TYPES: Readonly<Record<string, GoStruct>> = {
  'io.k8s.api.storage.v1.CSINodeStatus': { go: 'v1.CSINodeStatus', fields: [] },
};

export function isNewer(definition: string, field: GoField): boolean {
  return NEWER_FIELDS[definition]?.includes(field) === true;
}

export function isNewerType(definition: string): boolean {
  return NEWER_TYPES[definition] !== undefined;
}

/** The facts with the newer fields added. */
export function withNewerFields(facts: GoFacts): GoFacts {
  const types: Record<string, GoStruct> = { ...NEWER_TYPES, ...facts.types };
  for (const [definition, fields] of Object.entries(NEWER_FIELDS)) {
    const struct = types[definition];
    if (struct === undefined) continue;
    const newer = fields.filter(({ n }) => !struct.fields.some((field) => field.n === n));
    types[definition] = { ...struct, fields: [...struct.fields, ...newer] };
  }
  return { ...facts, types };
}
