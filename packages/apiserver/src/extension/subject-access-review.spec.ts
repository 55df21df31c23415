import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from '../authorization/authorizer.ts';
import { subjectAccessReviewAuthorizer } from './subject-access-review.ts';

const attributes: AuthorizationAttributes = {
  user: { name: 'bob', uid: '7', groups: ['devs'], extra: { scopes: ['all'] } },
  verb: 'list',
  resourceRequest: true,
  path: '/apis/g/v1/things',
  namespace: 'n',
  apiGroup: 'g',
  apiVersion: 'v1',
  resource: 'things',
  subresource: '',
  name: '',
};

describe('subjectAccessReviewAuthorizer', () => {
  let now = 0;
  let asked: (KubeObject & { readonly spec?: unknown })[] = [];
  let status: object = { allowed: true, reason: 'because' };
  const authorizer = subjectAccessReviewAuthorizer(
    {
      create: (_path, object) => {
        asked.push(object);
        return Promise.resolve({ ...object, status });
      },
    },
    { now: () => now },
  );
  beforeEach(() => {
    asked = [];
    now += 60_000;
    status = { allowed: true, reason: 'because' };
  });

  it('asks with everything that is known of the caller, and believes the answer for ten seconds', async () => {
    expect(await authorizer.authorize(attributes)).to.deep.equal({ decision: 'Allow', reason: 'because' });
    expect(asked[0]?.spec).to.deep.equal({
      resourceAttributes: {
        namespace: 'n',
        verb: 'list',
        group: 'g',
        version: 'v1',
        resource: 'things',
        subresource: '',
        name: '',
      },
      user: 'bob',
      uid: '7',
      groups: ['devs'],
      extra: { scopes: ['all'] },
    });
    status = { allowed: false };
    now += 9_999;
    expect(await authorizer.authorize(attributes)).to.deep.include({ decision: 'Allow' });
    now += 1;
    expect(await authorizer.authorize(attributes)).to.deep.equal({ decision: 'NoOpinion', reason: '' });
    expect(asked).to.have.length(2);
  });

  it('tells denied from not allowed, and callers apart', async () => {
    status = { allowed: false, denied: true, reason: 'no' };
    expect(await authorizer.authorize({ ...attributes, user: { name: 'eve', groups: [] } })).to.deep.equal({
      decision: 'Deny',
      reason: 'no',
    });
    status = { allowed: true };
    expect(await authorizer.authorize(attributes)).to.deep.include({ decision: 'Allow' });
  });

  it('asks nobody about masters and probes, but about other paths', async () => {
    expect(
      await authorizer.authorize({ ...attributes, user: { name: 'root', groups: ['system:masters'] } }),
    ).to.deep.include({ decision: 'Allow' });
    expect(await authorizer.authorize({ ...attributes, resourceRequest: false, path: '/readyz' })).to.deep.include({
      decision: 'Allow',
    });
    expect(asked).to.deep.equal([]);
    await authorizer.authorize({ ...attributes, resourceRequest: false, path: '/metrics' });
    expect(asked[0]?.spec).to.deep.include({ nonResourceAttributes: { path: '/metrics', verb: 'list' } });
  });

  it('allows nothing when it cannot ask', async () => {
    const failing = subjectAccessReviewAuthorizer(
      { create: () => Promise.reject(new TypeError('connection refused')) },
      { now: () => now },
    );
    const error: unknown = await Promise.resolve(failing.authorize(attributes)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect((error as Error | undefined)?.message).to.equal('connection refused');
  });
});
