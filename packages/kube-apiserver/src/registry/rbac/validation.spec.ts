import type { FieldError } from '@kubechain/apimachinery';
import { minorOf } from '@kubechain/apimachinery';
import type { ClusterRole, Role, RoleBinding, RoleRef, Subject } from '@kubechain/apimachinery/types/rbac/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import type { Rules } from '../validation/validate.ts';
import {
  clusterRoleBindingRules,
  clusterRoleRules,
  isRBACName,
  roleBindingRules,
  roleRules,
  tellingRoles,
} from './validation.ts';

const rbac = 'rbac.authorization.k8s.io';
const context = internalContext({ groupResource: { group: rbac, resource: 'roles' }, namespace: 'ns' });
const roleRef: RoleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'view' };
const texts = (errors: readonly FieldError[] = []): string[] => errors.map(String);
const created = <T>(rules: Rules<T>, object: T): string[] => texts(rules.create?.(object, context));

describe('names of roles', () => {
  it('are segments of paths, prefixes too', () => {
    expect(isRBACName('system:a', false)).to.deep.equal([]);
    expect(isRBACName('..', true)).to.deep.equal(["may not be '..'"]);
  });
});

describe('rules of roles', () => {
  const rows: readonly (readonly [
    name: string,
    role: Pick<ClusterRole, 'rules' | 'aggregationRule'>,
    ofRole: readonly string[],
    ofClusterRole: readonly string[],
  ])[] = [
    ['a rule for resources', { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }, [], []],
    ['no rules', {}, [], []],
    [
      'no verbs',
      { rules: [{ verbs: [], apiGroups: [''], resources: ['pods'] }] },
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
      ['rules[0].verbs: Required value: verbs must contain at least one value'],
    ],
    [
      'nothing to act on',
      { rules: [{ verbs: ['get'] }] },
      [
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
      [
        'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
        'rules[0].resources: Required value: resource rules must supply at least one resource',
      ],
    ],
    [
      'paths',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }] },
      ['rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs'],
      [],
    ],
    [
      'paths and resources',
      { rules: [{ verbs: ['get'], nonResourceURLs: ['/x'], resources: ['pods'] }] },
      [
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and ' +
          'non-resource URLs',
      ],
      [
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and ' +
          'non-resource URLs',
      ],
    ],
    [
      'an aggregation of nothing',
      { aggregationRule: { clusterRoleSelectors: [] } },
      [],
      [
        'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if ' +
          'aggregationRule is non-nil',
      ],
    ],
    [
      'an unknown operator',
      { aggregationRule: { clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }] } },
      [],
      [
        'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Near": not a ' +
          'valid selector operator',
        'aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.',
      ],
    ],
  ];
  for (const [name, role, ofRole, ofClusterRole] of rows) {
    it(name, () => {
      expect(created(roleRules, role as object), 'Role').to.deep.equal(ofRole);
      expect(created(clusterRoleRules, role), 'ClusterRole').to.deep.equal(ofClusterRole);
    });
  }
});

describe('mistakes in roles', () => {
  it('are told twice of updates before 1.35', () => {
    const role = { rules: [{ verbs: [], apiGroups: ['a'], resources: ['b'] }] } as unknown as Role;
    const told = (release: string): number =>
      tellingRoles(roleRules, { since: (version) => minorOf(release) >= minorOf(version) }).update?.(
        role,
        role,
        context,
      ).length ?? 0;
    expect([told('1.34'), told('1.35'), told('1.36')]).to.deep.equal([2, 1, 1]);
  });
});

describe('rules of role bindings', () => {
  const subjects: readonly (readonly [name: string, subject: Subject, errors: readonly string[]])[] = [
    ['a user', { kind: 'User', apiGroup: rbac, name: 'u' }, []],
    ['a user without a name', { kind: 'User', apiGroup: rbac, name: '' }, ['subjects[0].name: Required value']],
    [
      'a group of another API',
      { kind: 'Group', apiGroup: 'y', name: 'g' },
      ['subjects[0].apiGroup: Unsupported value: "y": supported values: "rbac.authorization.k8s.io"'],
    ],
    [
      'a kind of its own',
      { kind: 'Ro\u0000bot', name: 'r' },
      ['subjects[0].kind: Unsupported value: "Ro\\x00bot": supported values: "ServiceAccount", "User", "Group"'],
    ],
    [
      'a service account of an API',
      { kind: 'ServiceAccount', apiGroup: 'x', name: 's', namespace: 'n' },
      ['subjects[0].apiGroup: Unsupported value: "x": supported values: ""'],
    ],
  ];
  for (const [name, subject, errors] of subjects) {
    it(name, () => {
      expect(created(roleBindingRules(), { roleRef, subjects: [subject] })).to.deep.equal(errors);
    });
  }

  it('asks for the namespace of a service account where there is none to assume', () => {
    const binding = { roleRef, subjects: [{ kind: 'ServiceAccount', name: 's' }] };
    expect(created(roleBindingRules(), binding)).to.deep.equal([]);
    expect(created(clusterRoleBindingRules(), binding)).to.deep.equal(['subjects[0].namespace: Required value']);
  });

  it('binds cluster roles everywhere, roles in their namespace alone', () => {
    const binding = { roleRef: { ...roleRef, kind: 'Role' } };
    expect(created(roleBindingRules(), binding)).to.deep.equal([]);
    expect(created(clusterRoleBindingRules(), binding)).to.deep.equal([
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ]);
  });

  it('stays with its role', () => {
    const update = (now: RoleBinding, old: RoleBinding): string[] =>
      texts(roleBindingRules().change?.(now, old, context));
    expect(update({ roleRef, subjects: [] }, { roleRef })).to.deep.equal([]);
    expect(update({ roleRef: { ...roleRef, name: 'edit' } }, { roleRef })).to.deep.equal([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"ClusterRole","Name":"edit"}: ' +
        'cannot change roleRef',
    ]);
  });
});
