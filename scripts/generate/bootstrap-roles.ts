import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FILES = {
  clusterRoles: 'cluster-roles.yaml',
  clusterRoleBindings: 'cluster-role-bindings.yaml',
  controllerRoles: 'controller-roles.yaml',
  controllerRoleBindings: 'controller-role-bindings.yaml',
  namespaceRoles: 'namespace-roles.yaml',
  namespaceRoleBindings: 'namespace-role-bindings.yaml',
} as const;

interface Role {
  /** Null of aggregated roles. */
  readonly rules?: readonly { readonly resources?: readonly string[] }[] | null;
}

/**
 * Without rules about a subresource that a distribution's admission asks for: kube-apiserver 1.36.2 does not grant
 * them.
 */
function released(role: Role): Role {
  if (role.rules === undefined || role.rules === null) return role;
  return {
    ...role,
    rules: role.rules.filter(({ resources = [] }) => !resources.includes('endpointslices/restricted')),
  };
}

/** The RBAC objects that a fresh server creates, by the list that they are in. */
export type BootstrapRoles = Readonly<Record<keyof typeof FILES, readonly object[]>>;

export function bootstrapRoles(folder: string): BootstrapRoles {
  const lists = Object.entries(FILES).map(([name, file]) => {
    const list = parse(readFileSync(join(folder, file), 'utf8')) as { items: readonly Role[] };
    return [name, list.items.map(released)];
  });
  return Object.fromEntries(lists) as BootstrapRoles;
}
