import { expect } from 'chai';
import { authorizationAttributes } from './attributes.ts';
import type { AuthorizationAttributes, AuthorizationResult } from './authorizer.ts';
import { newAuthorization, parseAuthorizationModes } from './authorization-config.ts';
import { forbiddenError } from './forbidden.ts';
import { RoleStore } from './rbac/role-store.ts';
import { unionAuthorizer } from './union.ts';
import type { RequestContext } from '../request/request-context.ts';

const request: AuthorizationAttributes = {
  user: { name: 'bob', groups: ['devs'] },
  verb: 'list',
  resourceRequest: true,
  path: '',
  namespace: 'x',
  apiGroup: '',
  apiVersion: 'v1',
  resource: 'configmaps',
  subresource: '',
  name: '',
};

describe('authorization', () => {
  it('lets system:masters do everything, whatever the mode', () => {
    const { authorizer } = newAuthorization({ authorizers: [{ type: 'AlwaysDeny', name: 'alwaysdeny' }] });
    expect(authorizer.authorize(request)).to.deep.equal({ decision: 'NoOpinion', reason: 'Everything is forbidden.' });
    expect(authorizer.authorize({ ...request, user: { name: 'admin', groups: ['system:masters'] } })).to.have.property(
      'decision',
      'Allow',
    );
  });
  it('opens the always allowed paths', () => {
    const { authorizer } = newAuthorization({
      authorizers: [{ type: 'RBAC', name: 'rbac' }],
      roles: new RoleStore(),
      alwaysAllowPaths: ['/healthz', '/livez/*'],
    });
    const ask = (path: string): string =>
      (authorizer.authorize({ ...request, resourceRequest: false, path }) as AuthorizationResult).decision;
    expect(['/healthz', '/healthz/x', '/livez/a', '/livez'].map(ask)).to.deep.equal([
      'Allow',
      'NoOpinion',
      'Allow',
      'NoOpinion',
    ]);
    expect(() => newAuthorization({ authorizers: [], alwaysAllowPaths: ['/a*b'] })).to.throw(
      '--authorization-always-allow-paths: only trailing * allowed in "a*b"',
    );
  });
  it('joins reasons line by line, also of authorizers that wait', async () => {
    const say = (reason: string) => ({ decision: 'NoOpinion', reason }) as const;
    const union = unionAuthorizer([
      { authorize: () => say('one') },
      { authorize: () => Promise.resolve(say('two')) },
      { authorize: () => say('') },
      { authorize: () => say('three') },
    ]);
    expect(await union.authorize(request)).to.deep.equal(say('one\ntwo\nthree'));
    const deny = { decision: 'Deny', reason: 'no' } as const;
    expect(
      unionAuthorizer([
        { authorize: () => say('one') },
        { authorize: () => deny },
        { authorize: () => say('x') },
      ]).authorize(request),
    ).to.equal(deny);
  });
  for (const [values, message] of [
    [['RBAC', 'Nope'], '--authorization-mode: "Nope" is not a valid mode'],
    [['RBAC', 'RBAC'], '--authorization-mode: ["RBAC" "RBAC"] has mode specified more than once'],
    [[], '--authorization-mode: at least one authorization-mode must be passed'],
  ] as const) {
    it(`refuses the modes [${values.join(' ')}]`, () =>
      expect(() => parseAuthorizationModes(values)).to.throw(message));
  }
  it('reads what is asked from the request', () => {
    const requestInfo = {
      isResourceRequest: true,
      path: '/api/v1/pods',
      verb: 'list',
      apiPrefix: 'api',
      apiGroup: '',
      apiVersion: 'v1',
      namespace: '',
      resource: 'pods',
      subresource: '',
      name: '',
      parts: [],
      fieldSelector: 'a=b',
    };
    expect(authorizationAttributes({ requestInfo, user: request.user } as unknown as RequestContext)).to.deep.include({
      verb: 'list',
      resource: 'pods',
      fieldSelector: 'a=b',
      user: request.user,
    });
  });
});

describe('403', () => {
  const rows: readonly [
    title: string,
    changes: Partial<AuthorizationAttributes>,
    reason: string,
    message: string,
    details: object,
  ][] = [
    [
      'collection',
      {},
      '',
      'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "x"',
      { kind: 'configmaps' },
    ],
    [
      'object at cluster scope',
      { verb: 'get', namespace: '', resource: 'nodes', name: 'n1' },
      '',
      'nodes "n1" is forbidden: User "bob" cannot get resource "nodes" in API group "" at the cluster scope',
      { name: 'n1', kind: 'nodes' },
    ],
    [
      'subresource of a group, with a reason',
      { verb: 'update', apiGroup: 'apps', resource: 'deployments', subresource: 'scale', name: 'd' },
      'because',
      'deployments.apps "d" is forbidden: User "bob" cannot update resource "deployments/scale" in API group ' +
        '"apps" in the namespace "x": because',
      { name: 'd', group: 'apps', kind: 'deployments' },
    ],
    [
      'path',
      { resourceRequest: false, path: '/livez/ping', verb: 'get', resource: '', namespace: '' },
      '',
      'forbidden: User "bob" cannot get path "/livez/ping"',
      {},
    ],
    [
      'markup in names',
      { user: { name: '<b>&"', groups: [] } },
      '',
      'configmaps is forbidden: User "&lt;b&gt;&amp;\\"" cannot list resource "configmaps" in API group "" in ' +
        'the namespace "x"',
      { kind: 'configmaps' },
    ],
  ];
  for (const [title, changes, reason, message, details] of rows) {
    it(title, () => {
      const { status } = forbiddenError({ ...request, ...changes }, reason);
      expect(status).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message,
        reason: 'Forbidden',
        details,
        code: 403,
      });
    });
  }
});
