import type { TrialRequest } from '../requests.ts';
import type { ObjectMap, Value, Values } from '../values.ts';
import type { Changes } from '../stories/kinds.ts';
import type { Area, AreaContext } from './area.ts';
import { make, send, variantOf, type Posted } from './support.ts';

const AUTHORIZATION = '/apis/authorization.k8s.io/v1';
const AUTHENTICATION = '/apis/authentication.k8s.io/v1';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const requirement = (key: string, operator: string, ...items: string[]): Value => ({
  key,
  operator,
  ...(items.length > 0 ? { values: items } : {}),
});
const ATTRIBUTES: Changes = {
  'spec.resourceAttributes': [
    { verb: 'get', resource: 'pods', namespace: 'default', version: 'v1' },
    { verb: '*', group: '*', resource: '*' },
    {},
    undefined,
  ],
  'spec.resourceAttributes.verb': ['get', 'list', 'watch', 'deletecollection', 'create', '*', '', 'use'],
  'spec.resourceAttributes.group': ['', 'apps', '*', 'x', undefined],
  'spec.resourceAttributes.resource': ['pods', 'configmaps', 'nodes', '*', '', 'x/y'],
  'spec.resourceAttributes.subresource': ['status', 'log', '*', undefined],
  'spec.resourceAttributes.name': ['a', 'n', '*', '', undefined],
  'spec.resourceAttributes.namespace': ['default', 'kube-system', 'none', '*', '', undefined],
  'spec.resourceAttributes.fieldSelector': [
    { rawSelector: 'spec.nodeName=n' },
    { rawSelector: 'a=b,c!=d' },
    { rawSelector: 'a in (b)' },
    { rawSelector: '' },
    { requirements: [] },
    { requirements: [requirement('spec.nodeName', 'In', 'n')] },
    { requirements: [requirement('a', 'In', 'b', 'c'), requirement('d', 'NotIn', 'e')] },
    { requirements: [requirement('a', 'Exists'), requirement('b', 'DoesNotExist')] },
    { requirements: [requirement('', 'In', 'x')] },
    { requirements: [requirement('a', 'Gt', '1'), requirement('a', '', 'x'), requirement('a', 'In')] },
    { requirements: [requirement('a', 'Exists', 'x')] },
    { rawSelector: 'a=b', requirements: [requirement('a', 'In', 'b')] },
    {},
    undefined,
  ],
  'spec.resourceAttributes.labelSelector': [
    { rawSelector: 'a=b' },
    { rawSelector: 'a in (b,c),!d,e' },
    { rawSelector: 'a in (' },
    { rawSelector: 'a>1' },
    { requirements: [requirement('a', 'In', 'b')] },
    { requirements: [requirement('a!', 'In', 'b'), requirement('a', 'Exists')] },
    { requirements: [requirement('a', 'x', 'b')] },
    { requirements: [requirement('a', 'NotIn'), requirement('b', 'In')] },
    { requirements: [] },
    { rawSelector: 'a=b', requirements: [requirement('a', 'In', 'b')] },
    {},
    undefined,
  ],
  'spec.nonResourceAttributes': [{ path: '/healthz', verb: 'get' }, { path: '/metrics', verb: 'get' }, {}, undefined],
  'spec.nonResourceAttributes.path': ['/api', '/x', '', '*', 'x'],
  'metadata.name': ['x', undefined],
  'metadata.namespace': ['default', 'other', undefined],
  'metadata.labels': [{ a: 'b' }, undefined],
  status: [{ allowed: true }, undefined],
};
const SUBJECT: Changes = {
  'spec.user': ['alice', 'bob', 'rev-user', 'system:node:n', 'system:serviceaccount:default:default', '', undefined],
  'spec.groups': [
    ['devs'],
    ['system:masters'],
    ['system:nodes'],
    ['system:authenticated', 'rev-group'],
    [],
    [''],
    undefined,
  ],
  'spec.uid': ['u', undefined],
  'spec.extra': [{ a: ['b'] }, { A: [] }, { '': ['x'] }, undefined],
};

const REVIEWS: readonly Posted[] = [
  {
    path: `${AUTHORIZATION}/subjectaccessreviews`,
    kind: 'authorization.k8s.io/v1/SubjectAccessReview',
    object: { spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods' } } },
    changes: { ...ATTRIBUTES, ...SUBJECT },
  },
  {
    path: `${AUTHORIZATION}/namespaces/default/localsubjectaccessreviews`,
    kind: 'authorization.k8s.io/v1/LocalSubjectAccessReview',
    object: {
      metadata: { namespace: 'default' },
      spec: { user: 'alice', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'default' } },
    },
    changes: { ...ATTRIBUTES, ...SUBJECT },
  },
  {
    path: `${AUTHORIZATION}/selfsubjectaccessreviews`,
    kind: 'authorization.k8s.io/v1/SelfSubjectAccessReview',
    object: { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } },
    changes: ATTRIBUTES,
  },
  {
    path: `${AUTHORIZATION}/selfsubjectrulesreviews`,
    kind: 'authorization.k8s.io/v1/SelfSubjectRulesReview',
    object: { spec: { namespace: 'default' } },
    changes: { 'spec.namespace': ['default', 'none', '', undefined, 'kube-system', '*'] },
  },
  {
    path: `${AUTHENTICATION}/tokenreviews`,
    kind: 'authentication.k8s.io/v1/TokenReview',
    object: { spec: { token: 'alicetoken' } },
    changes: {
      'spec.token': ['alicetoken', 'bobtoken', 'x', '', 'eyJhbGciOiJSUzI1NiJ9.e30.x', ' alicetoken', undefined],
      'spec.audiences': [
        ['x'],
        ['https://kubernetes.default.svc'],
        ['https://kubernetes.default.svc', 'y'],
        [],
        [''],
        undefined,
      ],
      'metadata.name': ['x', undefined],
    },
  },
  {
    path: `${AUTHENTICATION}/selfsubjectreviews`,
    kind: 'authentication.k8s.io/v1/SelfSubjectReview',
    object: {},
    changes: { status: [{ userInfo: { username: 'x' } }, undefined], 'metadata.name': ['x', undefined] },
  },
];

const TOKENS = ['admintoken', 'alicetoken', 'alicetoken', 'bobtoken', 'bobtoken', ''] as const;
const USERS = [
  'x', 'rev-user', 'system:node:n', 'system:node:', 'system:serviceaccount:default:default', 'system:anonymous',
  'admin',  'system:serviceaccount:default', 'system:serviceaccount:A:b', 'system:masters', 'alice', '',
] as const; // prettier-ignore
const GROUPS = [
  'rev-group',
  'system:masters',
  'system:authenticated',
  'system:unauthenticated',
  'x',
  '',
  'system:nodes',
] as const;
const UIDS = ['u', '', '1'] as const;
/** Extra values: names of headers are written with capitals by Go, and keys without. */
const EXTRA = [
  'impersonate-extra-a', 'Impersonate-Extra-Scopes', 'impersonate-extra-a%2fb', 'impersonate-extra-',
  'impersonate-extra-%zz',  'impersonate-extra-acme.com%2Fproject',
] as const; // prettier-ignore

/** Headers that speak for somebody, or try to. */
function speaker(values: Values): Record<string, string> {
  const headers: Record<string, string> = {};
  const token = values.pick(TOKENS);
  if (token !== '') headers['authorization'] = `Bearer ${token}`;
  else if (values.chance(0.5))
    headers['authorization'] = values.pick(['Bearer wrong', 'Basic YTpi', 'Bearer ', 'x', 'bearer alicetoken']);
  else headers['authorization'] = '';
  if (values.chance(0.3)) return headers;
  if (values.chance(0.9)) headers['impersonate-user'] = values.pick(USERS);
  if (values.chance(0.4)) headers['impersonate-group'] = values.pick(GROUPS);
  if (values.chance(0.25)) headers['impersonate-uid'] = values.pick(UIDS);
  if (values.chance(0.25)) headers[values.pick(EXTRA)] = values.pick(['b', '', 'c d']);
  return headers;
}

function reviewOf(context: AreaContext): TrialRequest {
  const { values } = context;
  const posted = values.pick(REVIEWS);
  const made = variantOf(posted, { most: 4, mutated: 0.2 }, context);
  const validation = values.pick(['', '&fieldValidation=Strict', '&fieldValidation=Ignore']);
  const headers = values.chance(0.45) ? undefined : speaker(values);
  return send('POST', `${posted.path}?dryRun=All${validation}`, made, headers === undefined ? {} : { headers });
}

const READS = [
  '/api/v1/namespaces/default/configmaps/none', '/api/v1/namespaces/default/secrets?limit=1', '/api/v1/nodes/none',
  '/readyz/ping', '/livez/ping', '/api/v1/namespaces/default/pods/none/log', '/healthz', '/apis/apps', '/nothing',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/none', '/api/v1/namespaces/none/pods/none/status',
] as const; // prettier-ignore

/**
 * Reviews of access and of tokens, and who speaks for whom, with the rights that impersonation asks for in each of its
 * modes ({@link https://kep.k8s.io/5284}).
 */
export const reviews: Area = {
  async prepare(both) {
    const roles: Readonly<Record<string, { readonly user: string; readonly rules: readonly ObjectMap[] }>> = {
      'rev-legacy': {
        user: 'bob',
        rules: [
          {
            apiGroups: [''],
            resources: ['users'],
            verbs: ['impersonate'],
            resourceNames: ['x', 'rev-user', 'system:node:n'],
          },
          { apiGroups: [''], resources: ['groups'], verbs: ['impersonate'], resourceNames: ['rev-group', 'x'] },
          { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['impersonate'] },
          { apiGroups: ['authentication.k8s.io'], resources: ['uids'], verbs: ['impersonate'], resourceNames: ['u'] },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['userextras/a', 'userextras/scopes'],
            verbs: ['impersonate'],
          },
        ],
      },
      'rev-constrained': {
        user: 'alice',
        rules: [
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['users'],
            verbs: ['impersonate:user-info'],
            resourceNames: ['x', 'rev-user'],
          },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['groups'],
            verbs: ['impersonate:user-info'],
            resourceNames: ['rev-group'],
          },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['uids'],
            verbs: ['impersonate:user-info'],
            resourceNames: ['u'],
          },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['userextras/a'],
            verbs: ['impersonate:user-info'],
            resourceNames: ['b'],
          },
          {
            apiGroups: ['authentication.k8s.io'],
            resources: ['serviceaccounts'],
            verbs: ['impersonate:serviceaccount'],
          },
          { apiGroups: ['authentication.k8s.io'], resources: ['nodes'], verbs: ['impersonate:arbitrary-node'] },
          {
            apiGroups: ['authentication.k8s.io', 'authorization.k8s.io'],
            resources: ['*'],
            verbs: [
              'impersonate-on:user-info:create',
              'impersonate-on:serviceaccount:create',
              'impersonate-on:arbitrary-node:create',
            ],
          },
          { apiGroups: [''], resources: ['configmaps', 'pods/log'], verbs: ['impersonate-on:user-info:get'] },
          { nonResourceURLs: ['/healthz', '/version'], verbs: ['impersonate-on:user-info:get'] },
        ],
      },
      'rev-user': {
        user: 'rev-user',
        rules: [
          { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list'] },
          { apiGroups: ['apps'], resources: ['*/scale'], verbs: ['*'], resourceNames: ['a'] },
          { nonResourceURLs: ['/metrics', '/x/*'], verbs: ['get'] },
        ],
      },
    };
    for (const [name, { rules, user }] of Object.entries(roles)) {
      await make(both, `${RBAC}/clusterroles`, { metadata: { name }, rules });
      await make(both, `${RBAC}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
        subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
      });
    }
    await make(both, `${RBAC}/namespaces/default/roles`, {
      metadata: { name: 'rev-role' },
      rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'], resourceNames: ['s'] }],
    });
    await make(both, `${RBAC}/namespaces/default/rolebindings`, {
      metadata: { name: 'rev-role' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'rev-role' },
      subjects: [{ kind: 'Group', name: 'rev-group', apiGroup: 'rbac.authorization.k8s.io' }],
    });
  },

  request(context) {
    const { values } = context;
    if (values.chance(0.75)) return reviewOf(context);
    const headers = { accept: 'application/json', ...speaker(values) };
    return { method: 'GET', path: values.pick(READS), contentType: '', body: '', headers };
  },
};
