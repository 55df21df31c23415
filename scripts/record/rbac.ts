import { stringify } from 'yaml';
import type { Server } from './server.ts';
import { sorted } from './sorted.ts';

interface RBACObject {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly name: string };
}

const API = '/apis/rbac.authorization.k8s.io/v1';
const SELECTOR = 'labelSelector=kubernetes.io/bootstrapping%3Drbac-defaults';
/** What a store adds to an object. */
const STORED = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'generation']);
const isController = ({ metadata }: RBACObject): boolean => metadata.name.startsWith('system:controller:');

/** The roles and bindings that a fresh server makes, as YAML lists by the name of their file. */
export async function recordBootstrapRoles(server: Server): Promise<Readonly<Record<string, string>>> {
  const list = async (resource: string, kind: string): Promise<readonly RBACObject[]> => {
    const { items } = await server.json<{ readonly items: readonly RBACObject[] }>(`${API}/${resource}?${SELECTOR}`);
    return items.map((item) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      ...item,
      metadata: Object.fromEntries(Object.entries(item.metadata).filter(([name]) => !STORED.has(name))) as never,
    }));
  };
  const roles = await list('clusterroles', 'ClusterRole');
  const bindings = await list('clusterrolebindings', 'ClusterRoleBinding');
  const files = {
    'cluster-roles.yaml': roles.filter((role) => !isController(role)).map(unaggregated),
    'cluster-role-bindings.yaml': bindings.filter((binding) => !isController(binding)),
    'controller-roles.yaml': roles.filter(isController),
    'controller-role-bindings.yaml': bindings.filter(isController),
    'namespace-roles.yaml': await list('roles', 'Role'),
    'namespace-role-bindings.yaml': await list('rolebindings', 'RoleBinding'),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, items]) => [
      name,
      stringify(sorted({ apiVersion: 'v1', items, kind: 'List', metadata: {} })),
    ]),
  );
}

/** Rules of an aggregated role are made of others' by a controller; a fresh server writes it without. */
function unaggregated(role: RBACObject): RBACObject {
  return 'aggregationRule' in role ? ({ ...role, rules: null } as RBACObject) : role;
}
