import table from '../generated/bootstrap-roles.json' with { type: 'json' };
import type { PolicyRule, RoleBindingObject, RoleObject } from '../rbac-objects.ts';

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

let loaded: BootstrapPolicy | undefined;

/**
 * The reference's defaults (1.36). Shared, so callers must not change it. The aggregated roles
 * (admin, edit, view) come without rules: kube-controller-manager fills them in, here as there.
 */
export function bootstrapPolicy(): BootstrapPolicy {
  if (loaded === undefined) {
    const generated = table as unknown as GeneratedRoles;
    loaded = {
      clusterRoles: [...generated.clusterRoles, ...generated.controllerRoles],
      clusterRoleBindings: [...generated.clusterRoleBindings, ...generated.controllerRoleBindings],
      roles: generated.namespaceRoles,
      roleBindings: generated.namespaceRoleBindings,
    };
  }
  return loaded;
}

/** What the Node authorizer gives every node, apart from what is judged by relation. */
export function nodeRules(): readonly PolicyRule[] {
  return bootstrapPolicy().clusterRoles.find(({ metadata }) => metadata.name === 'system:node')?.rules ?? [];
}
