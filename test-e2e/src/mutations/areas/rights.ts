import type { ObjectMap, Value, Values } from '../values.ts';
import type { TrialRequest } from '../requests.ts';
import type { Changes } from '../stories/kinds.ts';
import type { Area } from './area.ts';
import { changed, make, send } from './support.ts';

const ROOT = '/apis/rbac.authorization.k8s.io/v1';
const NAMESPACE = 'rights';
const rule = (verbs: string, groups: string, resources: string, names = ''): ObjectMap => ({
  verbs: verbs.split(','),
  apiGroups: groups.split(','),
  resources: resources.split(','),
  ...(names === '' ? {} : { resourceNames: names.split(',') }),
});
/** Rules that roles have, or that are asked for. */
const RULES: readonly ObjectMap[] = [
  rule('get,list', '', 'pods'),
  rule('get', '', 'pods', 'a'),
  rule('get', '', 'pods', 'a,b'),
  rule('*', '', 'configmaps'),
  rule('create,update', '', 'configmaps'),
  rule('*', '*', '*'),
  rule('get', '*', '*'),
  rule('get', 'apps', '*'),
  rule('get', 'apps', 'deployments,deployments/scale'),
  rule('update', 'apps', '*/scale'),
  rule('update', 'apps', 'deployments/scale', 'x'),
  rule('get', '', 'pods/log,pods/*'),
  rule('escalate', 'rbac.authorization.k8s.io', 'roles'),
  rule('bind', 'rbac.authorization.k8s.io', 'clusterroles', 'view'),
  rule('impersonate', '', 'users,groups'),
  { verbs: ['get'], nonResourceURLs: ['/healthz'] },
  { verbs: ['*'], nonResourceURLs: ['/metrics', '/logs/*'] },
  { verbs: ['get'], nonResourceURLs: ['/logs/x', '*'] },
  { verbs: ['get'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] },
  { verbs: ['get'] },
  { verbs: [], apiGroups: [''], resources: ['pods'] },
  { verbs: ['get'], apiGroups: [], resources: ['pods'] },
  { verbs: ['get'], apiGroups: [''], resources: [] },
  { verbs: [''], apiGroups: [''], resources: [''], resourceNames: [''] },
  { verbs: ['get'], nonResourceURLs: ['x*y', '/a/*/b'] },
];
/** What users u0 to u5 may do besides writing roles and bindings. */
const GRANTED: readonly (readonly ObjectMap[])[] = [
  [],
  [rule('get,list', '', 'pods'), rule('get', 'apps', '*')],
  [rule('*', '', 'configmaps'), rule('get', '', 'pods', 'a'), rule('update', 'apps', '*/scale')],
  [rule('*', '*', '*')],
  [
    rule('bind', 'rbac.authorization.k8s.io', 'roles,clusterroles', 'view,r1'),
    { verbs: ['get'], nonResourceURLs: ['/healthz', '/logs/*'] },
  ],
  [rule('escalate', 'rbac.authorization.k8s.io', '*'), rule('get', '', 'pods/*,pods')],
];
const SUBJECTS: readonly Value[] = [
  { kind: 'User', name: 'alice' },
  { kind: 'Group', name: 'devs', apiGroup: 'rbac.authorization.k8s.io' },
  { kind: 'ServiceAccount', name: 'default', namespace: NAMESPACE },
  { kind: 'ServiceAccount', name: 'default' },
  { kind: 'User', name: '' },
  { kind: 'x', name: 'y' },
  { kind: 'User', name: 'a', apiGroup: 'x' },
  { kind: 'User', name: 'a', namespace: 'x' },
  { kind: 'ServiceAccount', name: 'A_', namespace: NAMESPACE },
];
const NAMES = ['r0', 'r1', 'r2', 'none', 'view', 'edit', 'admin', 'cluster-admin', 'a:b', 'a/b', ''];
const ROLE_REFS: readonly Value[] = NAMES.flatMap((name) => [
  { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
  { kind: 'Role', name },
]).concat([{ kind: 'x', name: 'y', apiGroup: 'z' }] as never[]);
const CHANGES: Changes = {
  roleRef: ROLE_REFS,
  subjects: [[], ...SUBJECTS.map((subject) => [subject]), SUBJECTS.slice(0, 3), undefined],
  aggregationRule: [
    { clusterRoleSelectors: [{ matchLabels: { agg: 'yes' } }] },
    { clusterRoleSelectors: [] },
    { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'x' }] }] },
    {},
    undefined,
  ],
  'metadata.labels': [{ agg: 'yes' }, { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }, undefined],
  'metadata.annotations': [{ 'rbac.authorization.kubernetes.io/autoupdate': 'false' }, undefined],
  'metadata.finalizers': [['a.b/c'], ['kubernetes'], undefined],
  'metadata.name': ['r0', 'a:b', 'a%b', '..', undefined],
  'metadata.ownerReferences': [
    [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u', blockOwnerDeletion: true }],
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'u' }],
    undefined,
  ],
};

function someRules(values: Values): Value {
  return Array.from({ length: values.below(4) }, () => values.pick(RULES));
}

function asUser(values: Values): Readonly<Record<string, string>> {
  const who = values.below(GRANTED.length + 1);
  return who === GRANTED.length
    ? { 'impersonate-user': 'nobody', 'impersonate-group': 'system:masters' }
    : { 'impersonate-user': `u${who}`, 'impersonate-group': 'system:authenticated' };
}

function writeOf(values: Values): TrialRequest {
  const isCluster = values.chance(0.5);
  const isBinding = values.chance(0.5);
  const scope = isCluster ? ROOT : `${ROOT}/namespaces/${NAMESPACE}`;
  const plural = `${isCluster ? 'clusterrole' : 'role'}${isBinding ? 'binding' : ''}s`;
  const name = values.pick(isBinding ? ['b0', 'b1'] : ['r0', 'r1', 'r2']);
  const base: ObjectMap = isBinding
    ? {
        metadata: { name },
        roleRef: values.pick(ROLE_REFS),
        subjects: values.chance(0.3) ? [values.pick(SUBJECTS)] : [],
      }
    : { metadata: { name }, rules: someRules(values) };
  const relevant = Object.keys(CHANGES).filter(
    (place) => place.startsWith('metadata') || isBinding === (place === 'roleRef' || place === 'subjects'),
  );
  const changes = Object.fromEntries(relevant.map((place) => [place, CHANGES[place] ?? []]));
  const object = values.chance(0.5) ? changed(base, changes, { most: 2, values }) : base;
  const headers = asUser(values);
  const way = values.share();
  if (way < 0.4) {
    (object['metadata'] as ObjectMap)['name'] ??= 'new';
    if (values.chance(0.7)) (object['metadata'] as ObjectMap)['name'] = 'new';
    return send('POST', `${scope}/${plural}?dryRun=All`, object, { headers });
  }
  const path = `${scope}/${plural}/${values.chance(0.1) ? 'new' : name}?dryRun=All`;
  if (way < 0.65) return send('PUT', path, object, { headers });
  if (way < 0.85) return send('PATCH', path, object, { headers, contentType: 'application/merge-patch+json' });
  return send(
    'PATCH',
    `${path}&fieldManager=f&force=true`,
    {
      ...object,
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: `${isCluster ? 'ClusterRole' : 'Role'}${isBinding ? 'Binding' : ''}`,
    },
    { headers, contentType: 'application/apply-patch+yaml' },
  );
}

/** Roles and bindings, written by users who may do some of what they grant. */
export const rights: Area = {
  async prepare(both) {
    await make(both, '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    const writer = [rule('*', 'rbac.authorization.k8s.io', 'roles,rolebindings,clusterroles,clusterrolebindings')];
    const verbs = ['create', 'get', 'list', 'update', 'patch', 'delete', 'watch'];
    for (const [i, rules] of GRANTED.entries()) {
      const name = `rights-u${i}`;
      const own: ObjectMap = { metadata: { name }, rules: [{ ...writer[0], verbs }, ...rules] };
      await make(both, `${ROOT}/clusterroles`, own);
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
      const subjects = [{ kind: 'User', name: `u${i}`, apiGroup: 'rbac.authorization.k8s.io' }];
      await make(both, `${ROOT}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
    }
    for (const [i, rules] of [RULES.slice(0, 2), RULES.slice(3, 4), RULES.slice(5, 6)].entries()) {
      await make(both, `${ROOT}/clusterroles`, { metadata: { name: `r${i}` }, rules });
      await make(both, `${ROOT}/namespaces/${NAMESPACE}/roles`, { metadata: { name: `r${i}` }, rules });
    }
    for (const [i, kind] of ['ClusterRole', 'ClusterRole'].entries()) {
      const binding = {
        metadata: { name: `b${i}` },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: `r${i}` },
        subjects: [{ kind: 'User', name: 'nobody-else', apiGroup: 'rbac.authorization.k8s.io' }],
      };
      await make(both, `${ROOT}/clusterrolebindings`, binding);
      await make(both, `${ROOT}/namespaces/${NAMESPACE}/rolebindings`, binding);
    }
  },

  request: ({ values }) => writeOf(values),
};
