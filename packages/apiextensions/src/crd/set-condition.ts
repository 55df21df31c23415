import type { CRDCondition } from '../definition/crd-types.ts';

/** The conditions with one of them set; its transition time changes only with its status. */
export function withCondition(
  conditions: readonly CRDCondition[],
  condition: Omit<CRDCondition, 'lastTransitionTime'>,
  now: string,
): CRDCondition[] {
  const index = conditions.findIndex(({ type }) => type === condition.type);
  const old = conditions[index];
  const next: CRDCondition = {
    ...condition,
    lastTransitionTime: old !== undefined && old.status === condition.status ? (old.lastTransitionTime ?? now) : now,
  };
  if (old === undefined) return [...conditions, next];
  return conditions.map((existing, i) => (i === index ? next : existing));
}

/** The conditions without those of a type. */
export function withoutCondition(conditions: readonly CRDCondition[], type: string): CRDCondition[] {
  return conditions.filter((condition) => condition.type !== type);
}
