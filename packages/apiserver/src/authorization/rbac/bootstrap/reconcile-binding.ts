import type { RoleBindingObject, Subject } from '../rbac-objects.ts';
import { AUTO_UPDATE_ANNOTATION, mergeMetadata, type Reconciliation } from './reconciliation.ts';

/**
 * What has to be written so that a stored binding binds at least the default's subjects to the default's role.
 * Source: component-helpers/auth/rbac/reconciliation computeReconciledRoleBinding.
 */
export function reconcileBinding(
  existing: RoleBindingObject,
  expected: RoleBindingObject,
): Reconciliation<RoleBindingObject> {
  if (existing.metadata.annotations?.[AUTO_UPDATE_ANNOTATION] === 'false') return { kind: 'none' };
  const { roleRef } = expected;
  if (
    roleRef.apiGroup !== existing.roleRef.apiGroup ||
    roleRef.kind !== existing.roleRef.kind ||
    roleRef.name !== existing.roleRef.name
  ) {
    return { kind: 'recreate', object: structuredClone(expected) };
  }
  const object = structuredClone(existing);
  let changed = mergeMetadata(object, expected);
  const held = existing.subjects ?? [];
  const missing = (expected.subjects ?? []).filter(
    (subject) => !held.some((candidate) => sameSubject(candidate, subject)),
  );
  if (missing.length > 0) {
    object.subjects = [...held, ...missing];
    changed = true;
  }
  return changed ? { kind: 'update', object } : { kind: 'none' };
}

function sameSubject(a: Subject, b: Subject): boolean {
  return (
    a.kind === b.kind &&
    (a.apiGroup ?? '') === (b.apiGroup ?? '') &&
    a.name === b.name &&
    (a.namespace ?? '') === (b.namespace ?? '')
  );
}
