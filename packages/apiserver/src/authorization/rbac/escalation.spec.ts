import { expect } from 'chai';
import { bindingAuthorized, confirmNoEscalation, mayAggregate, roleEscalationAuthorized } from './escalation.ts';
import { RBACAuthorizer } from './rbac-authorizer.ts';
import type { PolicyRule } from './rbac-objects.ts';
import { RoleStore } from './role-store.ts';
import { compileBinding } from './subject-index.ts';

const alice = { name: 'alice', groups: ['devs', 'system:authenticated'] };

function storeWith(rules: PolicyRule[]): RoleStore {
  const store = new RoleStore();
  store.setRole('ns/r', { rules });
  store.setRoleBinding(
    'ns/b',
    compileBinding({
      metadata: { name: 'b', namespace: 'ns' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [{ kind: 'User', name: 'alice' }],
    }),
  );
  return store;
}
const prefix =
  'user "alice" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n';

describe('escalation check', () => {
  const held: PolicyRule[] = [
    { verbs: ['get', 'list'], apiGroups: [''], resources: ['configmaps'] },
    { verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['one', 'two'] },
    { verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] },
  ];
  const rows: readonly [title: string, wanted: PolicyRule[], missing: string | undefined][] = [
    ['the same', [{ verbs: ['list', 'get'], apiGroups: [''], resources: ['configmaps'] }], undefined],
    [
      'part of the names',
      [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['two'] }],
      undefined,
    ],
    ['a subresource of all', [{ verbs: ['update'], apiGroups: ['apps'], resources: ['deployments/scale'] }], undefined],
    ['nothing', [{ verbs: [], apiGroups: ['x'], resources: ['y'] }], undefined],
    [
      'another verb',
      [{ verbs: ['get', 'create'], apiGroups: [''], resources: ['configmaps'] }],
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["create"]}',
    ],
    [
      'all verbs',
      [{ verbs: ['*'], apiGroups: [''], resources: ['configmaps'] }],
      '{APIGroups:[""], Resources:["configmaps"], Verbs:["*"]}',
    ],
    [
      'another name',
      [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: ['two', 'three'] }],
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["three"], Verbs:["get"]}',
    ],
    [
      'no names',
      [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }],
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    ],
    [
      'several, sorted and compacted',
      [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods/log', 'pods'] },
        { verbs: ['*'], apiGroups: ['apps'], resources: ['deployments'] },
      ],
      '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}\n{APIGroups:[""], Resources:["pods/log"], ' +
        'Verbs:["get" "list"]}\n{APIGroups:["apps"], Resources:["deployments"], Verbs:["*"]}',
    ],
    [
      'paths, each verb alone',
      [{ verbs: ['get', 'post'], nonResourceURLs: ['/metrics'] }],
      '{NonResourceURLs:["/metrics"], Verbs:["get"]}\n{NonResourceURLs:["/metrics"], Verbs:["post"]}',
    ],
  ];
  for (const [title, wanted, missing] of rows) {
    it(`${missing === undefined ? 'lets pass' : 'refuses'}: ${title}`, () => {
      expect(confirmNoEscalation(storeWith(held), alice, { namespace: 'ns', rules: wanted })).to.equal(
        missing === undefined ? undefined : prefix + missing,
      );
    });
  }
  it('counts only what is held in the namespace', () => {
    expect(confirmNoEscalation(storeWith(held), alice, { namespace: 'other', rules: [held[0]!] })).to.match(
      /Resources:\["configmaps"\], Verbs:\["get" "list"\]\}$/,
    );
  });
  it('adds what could not be resolved', () => {
    const store = storeWith(held);
    store.deleteRole('ns/r');
    expect(confirmNoEscalation(store, alice, { namespace: 'ns', rules: [held[0]!] })).to.match(
      /\}; resolution errors: \[role\.rbac\.authorization\.k8s\.io "r" not found\]$/,
    );
  });
  it('refuses what is too much to be looked at (grantedRights)', () => {
    const numbered = (prefix: string): string[] => Array.from({ length: 1_000 }, (_, i) => `${prefix}${i}`);
    const rules = [{ verbs: numbered('v'), apiGroups: numbered('g'), resources: numbered('r') }];
    const message = confirmNoEscalation(storeWith(held), alice, { namespace: 'ns', rules }) ?? '';
    expect(message.startsWith(prefix)).to.equal(true);
    expect(message.endsWith('\nand others: there are too many to look at')).to.equal(true);
  });
  it('asks for everything to aggregate', () => {
    expect(mayAggregate(storeWith(held), alice)).to.equal(false);
    const store = new RoleStore();
    store.setClusterRole('admin', {
      rules: [
        { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
        { verbs: ['*'], nonResourceURLs: ['*'] },
      ],
    });
    store.setClusterRoleBinding(
      'b',
      compileBinding({
        metadata: { name: 'b' },
        roleRef: { apiGroup: '', kind: 'ClusterRole', name: 'admin' },
        subjects: [{ kind: 'Group', name: 'devs' }],
      }),
    );
    expect(mayAggregate(store, alice)).to.equal(true);
  });
  it('knows the verbs bind and escalate', async () => {
    const group = 'rbac.authorization.k8s.io';
    const authorizer = new RBACAuthorizer(
      storeWith([
        { verbs: ['bind'], apiGroups: [group], resources: ['clusterroles'], resourceNames: ['view'] },
        { verbs: ['escalate'], apiGroups: [group], resources: ['roles'] },
      ]),
    );
    const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'view' };
    expect(await bindingAuthorized(authorizer, { user: alice, roleRef, namespace: 'ns' })).to.equal(true);
    expect(await bindingAuthorized(authorizer, { user: alice, roleRef, namespace: '' })).to.equal(false);
    expect(
      await bindingAuthorized(authorizer, { user: alice, roleRef: { ...roleRef, name: 'edit' }, namespace: 'ns' }),
    ).to.equal(false);
    expect(
      await roleEscalationAuthorized(authorizer, { user: alice, resource: 'roles', name: 'x', namespace: 'ns' }),
    ).to.equal(true);
    expect(
      await roleEscalationAuthorized(authorizer, { user: alice, resource: 'clusterroles', name: 'x', namespace: '' }),
    ).to.equal(false);
  });
});
