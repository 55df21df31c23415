import { expect } from 'chai';
import { parseRequestInfo } from '../request/request-info.ts';
import { isKeeper, needsRoom } from './heap-room.ts';

describe('room in the heap', () => {
  const groupsOf: Readonly<Record<string, readonly string[]>> = {
    admin: ['system:masters'],
    'system:node:a': ['system:nodes'],
    'system:serviceaccount:kube-system:generic-garbage-collector': ['system:serviceaccounts:kube-system'],
    'system:serviceaccount:kube-system:replicaset-controller': ['system:serviceaccounts:kube-system'],
    'system:serviceaccount:team:operator': ['system:serviceaccounts:team'],
  };
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/a/roles';
  const rows: readonly (readonly [user: string, method: string, path: string, needs: boolean])[] = [
    ['alice', 'POST', roles, true],
    ['alice', 'PUT', `${roles}/r`, true],
    ['alice', 'PATCH', `${roles}/r`, true],
    ['alice', 'GET', `${roles}/r`, false],
    ['alice', 'DELETE', `${roles}/r`, false],
    ['alice', 'DELETE', roles, false],
    ['alice', 'POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', false],
    ['alice', 'POST', '/api/v1/namespaces/a/pods/p/eviction', false],
    ['alice', 'POST', '/anything', false],
    ['system:serviceaccount:team:operator', 'POST', roles, true],
    ['system:serviceaccount:kube-system:generic-garbage-collector', 'PATCH', `${roles}/r`, false],
    ['system:serviceaccount:kube-system:replicaset-controller', 'POST', '/api/v1/namespaces/a/pods', true],
    ['system:serviceaccount:kube-system:replicaset-controller', 'POST', '/api/v1/namespaces/a/events', false],
    ['system:kube-scheduler', 'POST', '/api/v1/namespaces/a/pods/p/binding', false],
    ['system:kube-controller-manager', 'POST', '/apis/coordination.k8s.io/v1/namespaces/a/leases', false],
    ['system:kube-controller-manager', 'PUT', '/api/v1/namespaces/a/finalize', false],
    ['system:node:a', 'PATCH', '/api/v1/nodes/a/status', false],
    ['system:node:a', 'POST', '/api/v1/namespaces/a/events', true],
    ['admin', 'POST', roles, false],
  ];
  for (const [name, method, path, needs] of rows)
    it(`is ${needs ? 'needed' : 'not needed'} for ${method} ${path} of ${name}`, () => {
      const requestInfo = parseRequestInfo(method, path, () => new URLSearchParams());
      expect(needsRoom({ requestInfo, user: { name, groups: groupsOf[name] ?? [] } })).to.equal(needs);
    });

  it('is told of by controllers and scheduler, and by nobody else', () => {
    const told = ['system:kube-controller-manager', 'system:kube-scheduler', ...Object.keys(groupsOf), 'alice'].filter(
      (name) => isKeeper({ user: { name, groups: groupsOf[name] ?? [] } }),
    );
    expect(told).to.deep.equal(['system:kube-controller-manager', 'system:kube-scheduler']);
  });
});
