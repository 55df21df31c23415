import type { RoleBindingObject, RoleObject } from '../rbac-objects.ts';

/** A default that came later takes over what a cluster had made of an older one. Undefined: nothing to take over. */
export type Inherit<T> = (missing: T, storedOf: (name: string) => T | undefined) => T | undefined;

/** Roles that were split off roles which are aggregated since. */
const formerRoles: ReadonlyMap<string, string> = new Map(
  ['admin', 'edit', 'view'].map((name) => [`system:aggregate-to-${name}`, name]),
);

/** Bindings that were split off others. */
const formerBindings: ReadonlyMap<string, string> = new Map([['system:public-info-viewer', 'system:discovery']]);

/** What a role was before it was aggregated goes to the role that it is aggregated of (primeAggregatedClusterRoles). */
export const inheritedRole: Inherit<RoleObject> = (missing, storedOf) => {
  const name = missing.metadata.name ?? '';
  const former = storedOf(formerRoles.get(name) ?? '');
  if (former === undefined || (former.aggregationRule ?? undefined) !== undefined) return undefined;
  const { resourceVersion: _, uid: __, ...metadata } = former.metadata;
  return { ...structuredClone(former), metadata: { ...structuredClone(metadata), name } };
};

/** Subjects, labels and annotations of the binding that one was split off (primeSplitClusterRoleBindings). */
export const inheritedBinding: Inherit<RoleBindingObject> = (missing, storedOf) => {
  const former = storedOf(formerBindings.get(missing.metadata.name ?? '') ?? '');
  if (former === undefined) return undefined;
  const { subjects } = former;
  const { annotations, labels } = former.metadata;
  return structuredClone({
    ...missing,
    metadata: {
      name: missing.metadata.name ?? '',
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
    ...(subjects !== undefined && { subjects }),
  });
};
