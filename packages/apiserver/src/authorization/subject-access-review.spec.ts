import { expect } from 'chai';
import { StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';
import { subjectAccessReviewAuthorizer, webhookAuthorizer } from './subject-access-review.ts';
import { unionAuthorizer } from './union.ts';

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

describe('webhookAuthorizer', () => {
  let nowMs = 0;
  const asking = (
    answer: () => object | Error,
    more: Partial<Parameters<typeof webhookAuthorizer>[1]> = {},
  ): { readonly asked: KubeObject[]; readonly authorizer: Authorizer } => {
    const asked: KubeObject[] = [];
    const authorizer = webhookAuthorizer(
      {
        create: (path, object) => {
          expect(path).to.equal('');
          asked.push(object);
          const status = answer();
          return status instanceof Error ? Promise.reject(status) : Promise.resolve({ ...object, status });
        },
      },
      {
        clock: { now: () => nowMs },
        version: 'v1',
        allowedTTLMs: 2_000,
        refusedTTLMs: 1_000,
        sleep: () => Promise.resolve(),
        ...more,
      },
    );
    return { asked, authorizer };
  };

  it('says what selectors narrow a request to', async () => {
    const { asked, authorizer } = asking(() => ({ allowed: true }));
    await authorizer.authorize({
      ...attributes,
      fieldSelector: 'spec.nodeName=n,a!=b',
      labelSelector: 'a=b,c in (d,e),!f,g,h>1',
    });
    expect(asked[0]?.['spec']).to.deep.include({
      resourceAttributes: {
        namespace: 'n',
        verb: 'list',
        group: 'g',
        version: 'v1',
        resource: 'things',
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'NotIn', values: ['b'] },
            { key: 'spec.nodeName', operator: 'In', values: ['n'] },
          ],
        },
        labelSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b'] },
            { key: 'c', operator: 'In', values: ['d', 'e'] },
            { key: 'f', operator: 'DoesNotExist' },
            { key: 'g', operator: 'Exists' },
          ],
        },
      },
    });
  });
  it('asks v1beta1 in its own words', async () => {
    const { asked, authorizer } = asking(() => ({ allowed: true }), { version: 'v1beta1' });
    await authorizer.authorize({ ...attributes, resourceRequest: false });
    expect(asked[0]).to.deep.include({
      apiVersion: 'authorization.k8s.io/v1beta1',
      spec: {
        nonResourceAttributes: { path: '/apis/g/v1/things', verb: 'list' },
        user: 'bob',
        uid: '7',
        group: ['devs'],
        extra: { scopes: ['all'] },
      },
    });
  });
  for (const [allowed, ttlMs] of [
    [true, 2_000],
    [false, 1_000],
  ] as const)
    it(`believes ${allowed ? 'a yes' : 'a no'} for as long as it is told to`, async () => {
      const { asked, authorizer } = asking(() => ({ allowed }));
      await authorizer.authorize(attributes);
      nowMs += ttlMs - 1;
      await authorizer.authorize(attributes);
      expect(asked).to.have.length(1);
      nowMs += 1;
      await authorizer.authorize(attributes);
      expect(asked).to.have.length(2);
    });
  it('does not keep answers about endless names', async () => {
    const { asked, authorizer } = asking(() => ({ allowed: true }));
    for (let i = 0; i < 2; i++) await authorizer.authorize({ ...attributes, name: 'x'.repeat(10_000) });
    expect(asked).to.have.length(2);
  });
  it('has no opinion where nobody answers, and says why', async () => {
    const { asked, authorizer } = asking(() => new StatusError({ status: 'Failure', code: 500, message: 'down' }));
    const { decision, error } = await authorizer.authorize(attributes);
    expect([decision, error?.message, asked.length]).to.deep.equal(['NoOpinion', 'down', 5]);
  });
  it('refuses what is both allowed and denied', async () => {
    const { decision, error } = await asking(() => ({ allowed: true, denied: true })).authorizer.authorize(attributes);
    expect([decision, error?.message]).to.deep.equal([
      'Deny',
      'webhook subject access review returned both allow and deny response',
    ]);
  });
  it('lets others decide where it cannot, and is told of where they do not', async () => {
    const down = asking(() => new Error('down')).authorizer;
    const says = (decision: Decision): Authorizer => ({ authorize: () => ({ decision, reason: 'r' }) });
    expect(await unionAuthorizer([down, says('Allow')]).authorize(attributes)).to.deep.equal({
      decision: 'Allow',
      reason: 'r',
    });
    const { decision, error, reason } = await unionAuthorizer([down, says('NoOpinion'), down]).authorize(attributes);
    expect([decision, reason, error?.message]).to.deep.equal(['NoOpinion', 'r', 'down']);
  });
});
