import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FILES = {
  clusterRoles: 'cluster-roles.yaml', clusterRoleBindings: 'cluster-role-bindings.yaml', controllerRoles: 'controller-roles.yaml',
  controllerRoleBindings: 'controller-role-bindings.yaml', namespaceRoles: 'namespace-roles.yaml', namespaceRoleBindings: 'namespace-role-bindings.yaml',
} as const;

/** The RBAC objects that a fresh server creates, as JSON text with one object per line. */
export function bootstrapRoles(folder: string): string {
  const members = Object.entries(FILES).map(([name, file]) => {
    const list = parse(readFileSync(join(folder, file), 'utf8')) as { items: readonly unknown[] };
    return `${JSON.stringify(name)}:[\n${list.items.map(item => JSON.stringify(item)).join(',\n')}\n]`;
  });
  return `{\n${members.join(',\n')}\n}`;
}
