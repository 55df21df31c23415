import { isDeepStrictEqual } from 'node:util';
import type { RoleObject } from '../rbac-objects.ts';
import { uncoveredRules } from '../rule-covers.ts';
import { AUTO_UPDATE_ANNOTATION, mergeMetadata, type Reconciliation } from './reconciliation.ts';

/**
 * What has to be written so that a stored role grants at least what the default one does. Nothing is ever taken away,
 * except an aggregationRule that the default no longer has.
 * Source: component-helpers/auth/rbac/reconciliation computeReconciledRole.
 */
export function reconcileRole(existing: RoleObject, expected: RoleObject): Reconciliation<RoleObject> {
  if (existing.metadata.annotations?.[AUTO_UPDATE_ANNOTATION] === 'false') return { kind: 'none' };
  const object = structuredClone(existing);
  let changed = mergeMetadata(object, expected);

  const missing = uncoveredRules(existing.rules ?? [], expected.rules ?? []);
  if (missing.length > 0) {
    object.rules = [...(existing.rules ?? []), ...missing];
    changed = true;
  }

  const held = existing.aggregationRule?.clusterRoleSelectors ?? [];
  const selectors = (expected.aggregationRule?.clusterRoleSelectors ?? []).filter(
    (selector) => !held.some((candidate) => isDeepStrictEqual(candidate, selector)),
  );
  if (
    expected.aggregationRule === undefined &&
    existing.aggregationRule !== undefined &&
    existing.aggregationRule !== null
  ) {
    delete object.aggregationRule;
    changed = true;
  } else if (selectors.length > 0) {
    object.aggregationRule = { clusterRoleSelectors: [...held, ...selectors] };
    changed = true;
  }
  return changed ? { kind: 'update', object } : { kind: 'none' };
}
