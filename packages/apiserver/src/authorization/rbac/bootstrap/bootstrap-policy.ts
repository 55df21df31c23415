import table from '../generated/bootstrap-roles.json' with { type: 'json' };
import { builtinRelease } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import type { RoleBindingObject, RoleObject } from '../rbac-objects.ts';

/** The roles and bindings that every cluster starts with, as complete rbac.authorization.k8s.io/v1 objects. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly RoleObject[];
  readonly clusterRoleBindings: readonly RoleBindingObject[];
  readonly roles: readonly RoleObject[];
  readonly roleBindings: readonly RoleBindingObject[];
}

/** As generated: one list per file of the reference's facts. */
interface GeneratedRoles {
  readonly clusterRoles: RoleObject[];
  readonly clusterRoleBindings: RoleBindingObject[];
  readonly controllerRoles: RoleObject[];
  readonly controllerRoleBindings: RoleBindingObject[];
  readonly namespaceRoles: RoleObject[];
  readonly namespaceRoleBindings: RoleBindingObject[];
}

const loaded = new WeakMap<Release, BootstrapPolicy>();

/**
 * A release's defaults. Shared, so callers must not change it. The aggregated roles
 * (admin, edit, view) come without rules: kube-controller-manager fills them in, here as there.
 */
export function bootstrapPolicy(release: Release = builtinRelease): BootstrapPolicy {
  let policy = loaded.get(release);
  if (policy === undefined) loaded.set(release, (policy = policyOf(release)));
  return policy;
}

function policyOf(release: Release): BootstrapPolicy {
  const generated = table as unknown as GeneratedRoles;
  const list = <Name extends keyof GeneratedRoles>(name: Name): GeneratedRoles[Name] =>
    release.table<GeneratedRoles[Name][number]>(name, generated[name]) as GeneratedRoles[Name];
  return {
    clusterRoles: [...list('clusterRoles'), ...list('controllerRoles')],
    clusterRoleBindings: [...list('clusterRoleBindings'), ...list('controllerRoleBindings')],
    roles: list('namespaceRoles'),
    roleBindings: list('namespaceRoleBindings'),
  };
}
