import type { PolicyRulesWithSubjects } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { expect } from 'chai';
import { compileRules } from './match-flow-schema.ts';
import { contextOf, type RequestOptions } from './testing/flow-fixtures.ts';

const alice = { kind: 'User', user: { name: 'alice' } };
const everyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };
const subjects = (...list: object[]): object => ({ subjects: list, resourceRules: [everyResource] });
const resources = (rule: object): object => ({ subjects: [alice], resourceRules: [{ ...everyResource, ...rule }] });
const urls = (...nonResourceURLs: string[]): object => ({
  subjects: [alice],
  nonResourceRules: [{ verbs: ['get'], nonResourceURLs }],
});
const pods = '/api/v1/namespaces/a/pods';

const rows: readonly (readonly [
  name: string,
  rule: object,
  target: string,
  request: RequestOptions,
  expected: boolean,
])[] = [
  ['a user', subjects(alice), pods, {}, true],
  ['another user', subjects(alice), pods, { user: 'bob' }, false],
  ['any user', subjects({ kind: 'User', user: { name: '*' } }), pods, { user: 'bob' }, true],
  ['a group', subjects({ kind: 'Group', group: { name: 'devs' } }), pods, { groups: ['ops', 'devs'] }, true],
  ['another group', subjects({ kind: 'Group', group: { name: 'devs' } }), pods, { groups: ['ops'] }, false],
  ['any group, even of none', subjects({ kind: 'Group', group: { name: '*' } }), pods, { groups: [] }, true],
  [
    'a service account',
    subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: 's' } }),
    pods,
    { user: 'system:serviceaccount:n:s' },
    true,
  ],
  [
    'every service account of a namespace',
    subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } }),
    pods,
    { user: 'system:serviceaccount:n:x' },
    true,
  ],
  [
    'a namespace whose name only begins the same',
    subjects({ kind: 'ServiceAccount', serviceAccount: { namespace: 'n', name: '*' } }),
    pods,
    { user: 'system:serviceaccount:n2:x' },
    false,
  ],
  ['the second of two subjects', subjects({ kind: 'User', user: { name: 'bob' } }, alice), pods, {}, true],
  ['a subject of no known kind', subjects({ kind: 'Robot' }), pods, {}, false],
  ['a verb', resources({ verbs: ['list'] }), pods, {}, true],
  ['another verb', resources({ verbs: ['list'] }), pods, { method: 'POST' }, false],
  ['a star among others, which is a name', resources({ verbs: ['*', 'list'] }), pods, { method: 'POST' }, false],
  ['a group of resources', resources({ apiGroups: ['apps'] }), '/apis/apps/v1/deployments', {}, true],
  ['the core group', resources({ apiGroups: ['apps'] }), pods, {}, false],
  ['a resource', resources({ resources: ['pods'] }), pods, {}, true],
  ['a resource for its subresource', resources({ resources: ['pods'] }), `${pods}/p/status`, {}, false],
  ['a subresource', resources({ resources: ['pods/status'] }), `${pods}/p/status`, {}, true],
  ['a namespace', resources({ namespaces: ['a'] }), pods, {}, true],
  ['another namespace', resources({ namespaces: ['b'] }), pods, {}, false],
  ['no namespace, of cluster scope', resources({ namespaces: ['b'] }), '/api/v1/pods', {}, true],
  ['no namespace, without cluster scope', resources({ clusterScope: false }), '/api/v1/pods', {}, false],
  ['a path', urls('/healthz'), '/healthz', {}, true],
  ['a path below one', urls('/healthz'), '/healthz/etcd', {}, true],
  ['a path that only begins the same', urls('/healthz'), '/healthzzz', {}, false],
  ['a path with a star', urls('/healthz/*'), '/healthz/etcd', {}, true],
  ['the path before the star', urls('/healthz/*'), '/healthz', {}, false],
  ['every path', urls('*'), '/version', {}, true],
  ['a path with another verb', urls('*'), '/version', { method: 'POST' }, false],
  ['a resource by a rule about paths', urls('*'), pods, {}, false],
  ['a path by a rule about resources', resources({}), '/version', {}, false],
];

describe('rules of flow schemas', () => {
  for (const [name, rule, target, request, expected] of rows) {
    it(`${expected ? 'match' : 'do not match'} ${name}`, () => {
      const { requestInfo, user } = contextOf(target, request);
      expect(compileRules([rule as PolicyRulesWithSubjects])(requestInfo, user)).to.equal(expected);
    });
  }
  it('may have lists that are null, as Go stores empty ones', () => {
    const { requestInfo, user } = contextOf(pods);
    const lists = (rule: object): boolean => compileRules([rule as PolicyRulesWithSubjects])(requestInfo, user);
    expect([
      lists({ subjects: null, resourceRules: null, nonResourceRules: null }),
      lists({ ...subjects(alice), nonResourceRules: null }),
      lists(resources({ namespaces: null })),
      lists(resources({ verbs: null, apiGroups: null, resources: null })),
      compileRules(null)(requestInfo, user),
    ]).to.deep.equal([false, true, false, false, false]);
  });
  it('of nobody match nothing', () => {
    const { requestInfo, user } = contextOf(pods);
    expect(compileRules(undefined)(requestInfo, user)).to.equal(false);
  });
});
