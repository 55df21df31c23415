import { ApiextensionsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig, type V1ConfigMap } from '@kubernetes/client-node';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FunctionTimeoutError, startTestEnvironment, type TestEnvironment } from 'kubechain/testing';
import { refusal } from '../harness/refusal.ts';

const namespace = 'default';
const rules = [{ resources: ['configmaps'] }];
const group = 'sea.example.com';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const boats = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `boats.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'boats', kind: 'Boat' },
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
    ],
  },
};

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`functions of a test as servers: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let core: CoreV1Api;
    let custom: CustomObjectsApi;
    let config: KubeConfig;
    const make = (name: string, data: Record<string, string> = {}): Promise<V1ConfigMap> =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data } });

    before(async () => {
      env = await startTestEnvironment({ topology, crds: [JSON.stringify(boats)] });
      config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
      custom = config.makeApiClient(CustomObjectsApi);
    });
    after(() => env.stop());

    describe('admission', () => {
      it('changes objects, from the moment it is registered to the moment it is removed', async () => {
        const hook = await env.webhooks.mutating<V1ConfigMap>({ rules }, ({ object, operation, userInfo }) => {
          object.data = { ...object.data, by: userInfo.username ?? '', operation };
          return { object, warnings: ['changed by a test'] };
        });
        expect((await make('changed', { a: '1' })).data).to.deep.equal({
          a: '1',
          by: 'kubernetes-admin',
          operation: 'CREATE',
        });
        expect(hook.calls).to.equal(1);
        await hook.remove();
        expect((await make('left-alone', { a: '1' })).data).to.deep.equal({ a: '1' });
        expect(hook.calls).to.equal(1);
      });

      it('applies patches as they are', async () => {
        await using hook = await env.webhooks.mutating({ rules }, () => ({
          patch: [{ op: 'add', path: '/metadata/labels', value: { patched: 'yes' } }],
        }));
        expect((await make('patched')).metadata?.labels).to.deep.equal({ patched: 'yes' });
        expect(hook.calls).to.equal(1);
      });

      it('refuses, in the words of the function, and leaves other objects alone', async () => {
        await using hook = await env.webhooks.validating<V1ConfigMap>({ rules, name: 'no.bad.data' }, ({ object }) =>
          object.data?.['bad'] === undefined ? undefined : { allowed: false, message: 'bad data', code: 422 },
        );
        expect(await refusal(make('bad', { bad: '1' }))).to.deep.equal({
          code: 422,
          message: 'admission webhook "no.bad.data" denied the request: bad data',
        });
        await make('good');
        expect(hook.calls).to.equal(2);
      });

      it('is asked by every server', async () => {
        const asked: string[] = [];
        await using _hook = await env.webhooks.validating({ rules: [{ resources: ['*'] }] }, ({ resource }) => {
          asked.push(resource.resource);
        });
        await make('everywhere');
        await custom.createNamespacedCustomObject({
          group,
          version: 'v1',
          namespace,
          plural: 'boats',
          body: { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'asked' } },
        });
        await env.install(
          JSON.stringify({
            apiVersion: 'apiregistration.k8s.io/v1',
            kind: 'APIService',
            metadata: { name: 'v1.local.example.com' },
            spec: { group: 'local.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
          }),
        );
        expect(asked).to.include.members(['configmaps', 'boats', 'apiservices']);
      });

      it('tells the test what a function throws, with its stack, and the client what the reference would', async () => {
        const thrown = new RangeError('the test is wrong');
        const hook = await env.webhooks.validating({ rules, name: 'throws.in.test' }, () => {
          throw thrown;
        });
        expect(await refusal(make('thrown-at'))).to.deep.equal({
          code: 500,
          message:
            'Internal error occurred: failed calling webhook "throws.in.test": failed to call webhook: the ' +
            'test is wrong',
        });
        await hook[Symbol.asyncDispose]().then(
          () => expect.fail('disposing of it told nothing'),
          (error: unknown) => expect(error).to.equal(thrown),
        );
        expect(thrown.stack).to.contain('test-functions.e2e.ts');
        expect(await env.errors()).to.deep.equal([]);
      });

      it('tells the test of time-outs, with the place where the function was registered', async () => {
        await using hook = await env.webhooks.validating(
          { rules, name: 'slow.in.test', timeoutSeconds: 1 },
          async (_request, { signal }) => {
            await delay(60_000, undefined, { signal }).catch(() => undefined);
          },
        );
        const refused = await refusal(make('late'));
        expect(refused.code).to.equal(500);
        expect(refused.message).to.match(
          /^Internal error occurred: failed calling webhook "slow.in.test": failed to call webhook: Post "https:\/\/127.0.0.1:\d+\/admission\/\d+\?timeout=1s": context deadline exceeded$/,
        );
        const [error, ...more] = await hook.errors();
        expect(more).to.deep.equal([]);
        expect(error?.error).to.be.instanceOf(FunctionTimeoutError);
        expect(error?.error.message).to.match(
          /^slow.in.test had not answered CREATE configmaps default\/late when the server gave up after \d+ ms$/,
        );
        expect(error?.error.stack).to.contain('test-functions.e2e.ts');
      });

      it('is left out where its failure policy says so, and the test hears of it all the same', async () => {
        await using hook = await env.webhooks.mutating({ rules, failurePolicy: 'Ignore' }, () => {
          throw new RangeError('ignored by the server');
        });
        await make('ignored');
        expect((await hook.errors()).map(({ call, error }) => [call, error.message])).to.deep.equal([
          ['CREATE configmaps default/ignored', 'ignored by the server'],
        ]);
      });
    });

    describe('conversion', () => {
      const boat = (version: string, name: string): Promise<Record<string, unknown>> =>
        custom.getNamespacedCustomObject({ group, version, namespace, plural: 'boats', name });
      before(async () => {
        await custom.createNamespacedCustomObject({
          group,
          version: 'v1',
          namespace,
          plural: 'boats',
          body: { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'converted' }, length: 3 },
        });
      });

      it('makes other versions, until it is removed', async () => {
        const conversion = await env.webhooks.conversion(`boats.${group}`, ({ length, ...boat }, wanted) => ({
          ...boat,
          size: `${String(length)} m for ${wanted}`,
        }));
        expect(await boat('v2', 'converted')).to.deep.include({
          apiVersion: `${group}/v2`,
          size: `3 m for ${group}/v2`,
        });
        await conversion.remove();
        expect(await boat('v2', 'converted')).to.deep.include({ apiVersion: `${group}/v2`, length: 3 });
        const crd = await config
          .makeApiClient(ApiextensionsV1Api)
          .readCustomResourceDefinition({ name: `boats.${group}` });
        expect(crd.spec.conversion).to.deep.equal({ strategy: 'None' });
      });

      it('tells the test what it throws', async () => {
        await using conversion = await env.webhooks.conversion(`boats.${group}`, () => {
          throw new RangeError('not convertible');
        });
        const refused = await refusal(boat('v2', 'converted'));
        expect(refused.code).to.equal(500);
        expect(refused.message).to.match(
          /conversion webhook for sea.example.com\/v1, Kind=Boat failed: not convertible/,
        );
        expect((await conversion.errors()).map(({ call, error }) => [call, error.message])[0]).to.deep.equal([
          `${group}/v1 Boat converted to ${group}/v2`,
          'not convertible',
        ]);
      });
    });

    describe('aggregated APIs', () => {
      const usage = (of: string): object => ({ metadata: { name: of, namespace }, usage: { cpu: '1m' } });

      it('are discovered, asked with the identity of the caller, and gone when they are removed', async () => {
        const asked: string[] = [];
        const api = await env.apis.serve({
          group: 'metrics.k8s.io',
          version: 'v1beta1',
          resources: [
            {
              plural: 'pods',
              kind: 'PodMetrics',
              list: ({ namespace: within, user }) => {
                asked.push(`${user.name} ${user.groups.join()} ${within}`);
                return [usage('one')];
              },
              get: ({ name }) => (name === 'one' ? usage(name) : undefined),
            },
          ],
        });
        const at = { group: 'metrics.k8s.io', version: 'v1beta1', namespace, plural: 'pods' };
        const { resources } = await custom.getAPIResources(at);
        expect(resources.map(({ kind, name, verbs }) => [name, kind, verbs])).to.deep.equal([
          ['pods', 'PodMetrics', ['get', 'list']],
        ]);
        expect(await custom.listNamespacedCustomObject(at)).to.deep.equal({
          apiVersion: 'metrics.k8s.io/v1beta1',
          kind: 'PodMetricsList',
          metadata: {},
          items: [{ apiVersion: 'metrics.k8s.io/v1beta1', kind: 'PodMetrics', ...usage('one') }],
        });
        expect(asked).to.deep.equal(['kubernetes-admin system:masters,system:authenticated default']);
        expect(await refusal(custom.getNamespacedCustomObject({ ...at, name: 'two' }))).to.deep.equal({
          code: 404,
          message: 'pods.metrics.k8s.io "two" not found',
        });
        expect((await refusal(custom.deleteNamespacedCustomObject({ ...at, name: 'one' }))).code).to.equal(405);
        await api.remove();
        expect((await refusal(custom.listNamespacedCustomObject(at))).code).to.equal(404);
      });

      it('take objects, and tell the test what they throw', async () => {
        await using api = await env.apis.serve({
          group: 'kitchen.example.com',
          version: 'v1',
          resources: [
            {
              plural: 'soups',
              kind: 'Soup',
              create: ({ body }) => {
                const soup = body as { readonly metadata: object; readonly salt: number };
                if (soup.salt > 10) throw new RangeError('too salty');
                return { ...soup, metadata: { ...soup.metadata, uid: 'u' } };
              },
            },
          ],
        });
        const cook = (salt: number): Promise<unknown> =>
          custom.createNamespacedCustomObject({
            group: 'kitchen.example.com',
            version: 'v1',
            namespace,
            plural: 'soups',
            body: { apiVersion: 'kitchen.example.com/v1', kind: 'Soup', metadata: { name: 'a' }, salt },
          });
        expect(await cook(1)).to.deep.include({ kind: 'Soup', salt: 1, metadata: { name: 'a', uid: 'u' } });
        expect(await refusal(cook(11))).to.deep.equal({ code: 500, message: 'Internal error occurred: too salty' });
        expect((await api.errors()).map(({ error }) => error.message)).to.deep.equal(['too salty']);
      });
    });

    it('leave nothing behind in what an environment keeps, and tell at its end what nobody has asked for', async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'kubechain-functions-'));
      try {
        const first = await startTestEnvironment({ topology, dataDir });
        await first.webhooks.validating({ rules }, () => {
          throw new RangeError('unnoticed');
        });
        const there = new KubeConfig();
        there.loadFromOptions(first.kubeConfig);
        const body = { metadata: { name: 'kept' } };
        await refusal(there.makeApiClient(CoreV1Api).createNamespacedConfigMap({ namespace, body }));
        await first.stop().then(
          () => expect.fail('it told nothing'),
          (error: unknown) => expect(error).to.have.property('message', 'unnoticed'),
        );
        await using second = await startTestEnvironment({ topology, dataDir });
        const again = new KubeConfig();
        again.loadFromOptions(second.kubeConfig);
        await again.makeApiClient(CoreV1Api).createNamespacedConfigMap({ namespace, body });
      } finally {
        rmSync(dataDir, { recursive: true });
      }
    });
  });
