import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect } from 'chai';
import {
  startTestEnvironment,
  type AccessReview,
  type AuditEvent,
  type TestEnvironment,
  type TokenUser,
} from 'kubechain/testing';

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`functions of a test that say who asks and what they may: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    const tokens = new Map<string, TokenUser>([
      ['of-alice', { username: 'alice', groups: ['sailors'], extra: { 'example.com/ship': ['black'] } }],
      ['of-bob', { username: 'bob' }],
    ]);
    const asked: AccessReview[] = [];
    const events: AuditEvent[] = [];

    before(async () => {
      env = await startTestEnvironment({
        topology,
        authenticate: (token) => {
          if (token === 'that-breaks') throw new RangeError('no such sailor');
          return tokens.get(token);
        },
        authorize: (access) => {
          asked.push(access);
          const { namespace, resource, verb } = access.resourceAttributes ?? {};
          if (namespace === 'that-breaks') throw new RangeError('no such harbour');
          if (access.user !== 'alice' || resource !== 'configmaps') return 'NoOpinion';
          if (verb === 'delete') return { decision: 'Deny', reason: 'nothing goes over board' };
          return namespace === 'default' ? 'Allow' : 'NoOpinion';
        },
        audit: {
          level: 'RequestResponse',
          sink: (event) => {
            if (event.objectRef?.['name'] === 'that-breaks') throw new RangeError('no such log');
            events.push(event);
          },
        },
      });
    });
    after(() => env.stop());

    const apiOf = (token: string): CoreV1Api => {
      const config = new KubeConfig();
      config.loadFromOptions({ ...env.kubeConfig, users: [{ name: 'kubernetes-admin', token }] });
      return config.makeApiClient(CoreV1Api);
    };
    const codeOf = async (call: Promise<unknown>): Promise<number> => {
      try {
        await call;
        return 200;
      } catch (error) {
        return (error as { readonly code: number }).code;
      }
    };

    it('know users by their tokens', async () => {
      const api = apiOf('of-alice');
      await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'log' } } });
      const review = asked.find(({ resourceAttributes }) => resourceAttributes?.verb === 'create');
      expect(review?.user).to.equal('alice');
      expect(review?.groups).to.include.members(['sailors', 'system:authenticated']);
      expect(review?.extra).to.deep.equal({ 'example.com/ship': ['black'] });
      expect(await codeOf(apiOf('of-nobody').listNamespacedConfigMap({ namespace: 'default' }))).to.equal(401);
    });

    it('allow, forbid, and leave it to RBAC', async () => {
      const api = apiOf('of-alice');
      expect(await codeOf(api.listNamespacedConfigMap({ namespace: 'default' }))).to.equal(200);
      expect(await codeOf(api.listNamespacedConfigMap({ namespace: 'kube-system' }))).to.equal(403);
      expect(await codeOf(apiOf('of-bob').listNamespacedConfigMap({ namespace: 'default' }))).to.equal(403);
      expect(await codeOf(api.deleteNamespacedConfigMap({ namespace: 'default', name: 'log' }))).to.equal(403);
    });

    it('are asked each time: what they say counts at once', async () => {
      expect(await codeOf(apiOf('of-carol').listNamespacedConfigMap({ namespace: 'default' }))).to.equal(401);
      tokens.set('of-carol', { username: 'alice' });
      expect(await codeOf(apiOf('of-carol').listNamespacedConfigMap({ namespace: 'default' }))).to.equal(200);
    });

    it('are told what was asked, before the answer is there', async () => {
      events.length = 0;
      await apiOf('of-alice').createNamespacedConfigMap({
        namespace: 'default',
        body: { metadata: { name: 'told' }, data: { a: 'b' } },
      });
      const done = events.find(({ stage, verb }) => verb === 'create' && stage === 'ResponseComplete');
      expect(done?.user).to.deep.include({ username: 'alice' });
      expect(done?.objectRef).to.deep.include({ resource: 'configmaps', name: 'told', namespace: 'default' });
      expect(done?.requestObject).to.deep.include({ data: { a: 'b' } });
      expect(done?.responseStatus?.code).to.equal(201);
    });

    it('are told of refusals as of other answers', async () => {
      events.length = 0;
      expect(await codeOf(apiOf('of-bob').listNamespacedSecret({ namespace: 'default' }))).to.equal(403);
      expect(events.map(({ stage, verb }) => `${verb} ${stage}`)).to.deep.equal([
        'list RequestReceived',
        'list ResponseComplete',
      ]);
    });

    it('that authorize fail the test, and let nobody through', async () => {
      expect(await codeOf(apiOf('of-alice').listNamespacedConfigMap({ namespace: 'that-breaks' }))).to.equal(500);
      const [failure, ...more] = await env.errors();
      expect(more).to.deep.equal([]);
      expect(failure?.function).to.equal('authorizer');
      expect(failure?.error.message).to.equal('no such harbour');
      expect(failure?.error.stack).to.include('functions-of-rights.e2e.ts');
    });

    it('that keep a record fail the test, and the request is answered all the same', async () => {
      const api = apiOf('of-alice');
      await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'that-breaks' } } });
      const failures = await env.errors();
      expect(failures).to.not.deep.equal([]);
      expect(new Set(failures.map(({ error, function: name }) => `${name}: ${error.message}`))).to.deep.equal(
        new Set(['audit-sink: no such log']),
      );
      expect(failures[0]?.error.stack).to.include('functions-of-rights.e2e.ts');
    });

    it('that authenticate fail the test, not the server', async () => {
      expect(await codeOf(apiOf('that-breaks').listNamespacedConfigMap({ namespace: 'default' }))).to.equal(401);
      const [failure] = await env.errors();
      expect(failure?.function).to.equal('authenticator');
      expect(failure?.error).to.be.instanceOf(RangeError);
      expect(failure?.error.stack).to.include('functions-of-rights.e2e.ts');
    });
  });
