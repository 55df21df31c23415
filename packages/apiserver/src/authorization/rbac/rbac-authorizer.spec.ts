import { expect } from 'chai';
import type { AuthorizationAttributes } from '../authorizer.ts';
import type { PolicyRule, Subject } from './rbac-objects.ts';
import { RBACAuthorizer } from './rbac-authorizer.ts';
import { RoleStore } from './role-store.ts';
import { ruleAllows } from './rule-allows.ts';
import { compileBinding, type CompiledBinding } from './subject-index.ts';

const bob = { name: 'bob', groups: ['devs', 'system:authenticated'] };

function attributes(changes: Partial<AuthorizationAttributes>): AuthorizationAttributes {
  return {
    user: bob,
    verb: 'get',
    resourceRequest: true,
    path: '',
    namespace: 'ns',
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'pods',
    subresource: '',
    name: 'p',
    ...changes,
  };
}

const path = (text: string, verb = 'get'): Partial<AuthorizationAttributes> => ({
  resourceRequest: false,
  path: text,
  verb,
  resource: '',
  name: '',
  namespace: '',
});

describe('RBAC rules', () => {
  const pods: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', 'pods/log'] };
  const rows: readonly [
    title: string,
    rule: PolicyRule,
    request: Partial<AuthorizationAttributes>,
    allowed: boolean,
  ][] = [
    ['exact', pods, {}, true],
    ['verb', pods, { verb: 'watch' }, false],
    ['group', pods, { apiGroup: 'apps' }, false],
    ['resource', pods, { resource: 'secrets' }, false],
    ['subresource that is named', pods, { subresource: 'log' }, true],
    ['subresource that is not', pods, { subresource: 'exec' }, false],
    ['resource does not cover its subresources', { ...pods, resources: ['pods'] }, { subresource: 'log' }, false],
    ['subresource does not cover its resource', { ...pods, resources: ['pods/log'] }, {}, false],
    ['all resources cover subresources', { ...pods, resources: ['*'] }, { subresource: 'log' }, true],
    ['*/scale', { ...pods, resources: ['*/scale'] }, { resource: 'anything', subresource: 'scale' }, true],
    ['*/scale not others', { ...pods, resources: ['*/scale'] }, { resource: 'anything', subresource: 'status' }, false],
    [
      '*/scale not a suffix',
      { ...pods, resources: ['*/scale'] },
      { resource: 'anything', subresource: 'autoscale' },
      false,
    ],
    ['pods/* means nothing', { ...pods, resources: ['pods/*'] }, { subresource: 'log' }, false],
    [
      'all verbs, all groups',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      { verb: 'x', apiGroup: 'y', resource: 'z' },
      true,
    ],
    ['name', { ...pods, resourceNames: ['p'] }, {}, true],
    ['other name', { ...pods, resourceNames: ['q'] }, {}, false],
    ['names do not cover a list', { ...pods, resourceNames: ['p'] }, { verb: 'list', name: '' }, false],
    [
      'resource rules say nothing of paths',
      { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
      path('/healthz'),
      false,
    ],
    ['path', { verbs: ['get'], nonResourceURLs: ['/healthz'] }, path('/healthz'), true],
    ['path below', { verbs: ['get'], nonResourceURLs: ['/healthz'] }, path('/healthz/ping'), false],
    ['path with slash', { verbs: ['get'], nonResourceURLs: ['/healthz'] }, path('/healthz/'), false],
    ['trailing star', { verbs: ['get'], nonResourceURLs: ['/healthz/p*'] }, path('/healthz/ping'), true],
    ['trailing star, other', { verbs: ['get'], nonResourceURLs: ['/healthz/p*'] }, path('/healthz/log'), false],
    ['star alone', { verbs: ['*'], nonResourceURLs: ['*'] }, path('/anything', 'post'), true],
    ['path verb', { verbs: ['get'], nonResourceURLs: ['*'] }, path('/x', 'post'), false],
    ['path rules say nothing of resources', { verbs: ['*'], nonResourceURLs: ['*'] }, {}, false],
  ];
  for (const [title, rule, request, allowed] of rows) {
    it(`${allowed ? 'allows' : 'does not allow'}: ${title}`, () =>
      expect(ruleAllows(rule, attributes(request))).to.equal(allowed));
  }
});

describe('RBAC authorizer', () => {
  let store: RoleStore;
  let authorizer: RBACAuthorizer;
  beforeEach(() => {
    store = new RoleStore();
    authorizer = new RBACAuthorizer(store);
  });
  const binding = (
    name: string,
    [kind, role]: readonly [kind: 'Role' | 'ClusterRole', name: string],
    subjects: Subject[],
    namespace?: string,
  ): CompiledBinding =>
    compileBinding({
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: role },
      subjects,
    });
  const readPods = { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] };
  const user = (name: string): Subject => ({ kind: 'User', name });
  const decide = (changes: Partial<AuthorizationAttributes> = {}): string => {
    const { decision, reason } = authorizer.authorize(attributes(changes));
    return `${decision} ${reason}`.trim();
  };

  it('tells which binding allowed, and by which of its subjects', () => {
    store.setClusterRole('view', readPods);
    store.setClusterRoleBinding(
      'b',
      binding('b', ['ClusterRole', 'view'], [user('x'), { kind: 'Group', name: 'devs' }]),
    );
    expect(decide()).to.equal('Allow RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "view" to Group "devs"');
    store.setClusterRoleBinding(
      'b',
      binding('b', ['ClusterRole', 'view'], [user('bob'), { kind: 'Group', name: 'devs' }]),
    );
    expect(decide()).to.equal('Allow RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "view" to User "bob"');
  });
  it('keeps namespaces apart', () => {
    store.setRole('ns/r', readPods);
    store.setRoleBinding('ns/b', binding('b', ['Role', 'r'], [user('bob')], 'ns'));
    expect(decide()).to.equal('Allow RBAC: allowed by RoleBinding "b/ns" of Role "r" to User "bob"');
    expect(decide({ namespace: 'other' })).to.equal('NoOpinion');
    expect(decide({ namespace: '' })).to.equal('NoOpinion');
  });
  it("takes service accounts of the binding's namespace unless another is named", () => {
    store.setClusterRole('view', readPods);
    store.setRoleBinding(
      'ns/b',
      binding(
        'b',
        ['ClusterRole', 'view'],
        [
          { kind: 'ServiceAccount', name: 'robot' },
          { kind: 'ServiceAccount', name: 'far', namespace: 'elsewhere' },
        ],
        'ns',
      ),
    );
    expect(decide({ user: { name: 'system:serviceaccount:ns:robot', groups: [] } })).to.equal(
      'Allow RBAC: allowed by RoleBinding "b/ns" of ClusterRole "view" to ServiceAccount "robot/ns"',
    );
    expect(decide({ user: { name: 'system:serviceaccount:elsewhere:far', groups: [] } })).to.match(/^Allow/);
    expect(decide({ user: { name: 'system:serviceaccount:ns:far', groups: [] } })).to.equal('NoOpinion');
  });
  it('reports roles that are not there', () => {
    store.setClusterRoleBinding('b', binding('b', ['ClusterRole', 'gone'], [user('bob')]));
    expect(decide()).to.equal('NoOpinion RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found');
    store.setRoleBinding('ns/b', binding('b', ['Role', 'gone'], [user('bob')], 'ns'));
    expect(decide()).to.equal(
      'NoOpinion RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, ' +
        'role.rbac.authorization.k8s.io "gone" not found]',
    );
    store.setClusterRole('gone', readPods);
    expect(decide()).to.match(/^Allow/);
  });
  it('forgets what is deleted and follows what changes', () => {
    store.setClusterRole('view', readPods);
    store.setClusterRoleBinding('b', binding('b', ['ClusterRole', 'view'], [user('bob')]));
    store.setClusterRoleBinding('b', binding('b', ['ClusterRole', 'view'], [user('carol')]));
    expect(decide()).to.equal('NoOpinion');
    store.setClusterRoleBinding('b', binding('b', ['ClusterRole', 'view'], [user('bob')]));
    expect(decide()).to.match(/^Allow/);
    store.deleteClusterRole('view');
    expect(decide()).to.match(/not found$/);
    store.deleteClusterRoleBinding('b');
    expect(decide()).to.equal('NoOpinion');
  });
  it('lists rules once per binding, cluster-wide ones first', () => {
    store.setClusterRole('view', { rules: [...readPods.rules, { verbs: ['get'], nonResourceURLs: ['/x'] }] });
    store.setRole('ns/r', { rules: [{ verbs: ['*'], apiGroups: ['apps'], resources: ['*'], resourceNames: [] }] });
    store.setClusterRoleBinding(
      'b',
      binding('b', ['ClusterRole', 'view'], [user('bob'), { kind: 'Group', name: 'devs' }]),
    );
    store.setRoleBinding('ns/b', binding('b', ['Role', 'r'], [user('bob')], 'ns'));
    store.setRoleBinding('ns/c', binding('c', ['Role', 'gone'], [user('bob')], 'ns'));
    expect(authorizer.rulesFor(bob, 'ns')).to.deep.equal({
      resourceRules: [
        { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['*'] },
      ],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
      incomplete: false,
      evaluationError: 'role.rbac.authorization.k8s.io "gone" not found',
    });
  });
});
