import {
  ApiregistrationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type V1ConfigMap,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';
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

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (await condition()) return;
    await delay(20);
  }
  throw new Error(`it has not come to this: ${what}`);
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`faults of what servers call: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let config: KubeConfig;
    let core: CoreV1Api;
    let custom: CustomObjectsApi;
    let made = 0;
    const create = (): Promise<V1ConfigMap> =>
      core.createNamespacedConfigMap({ namespace, body: { metadata: { name: `made-${++made}` } } });

    before(async () => {
      env = await startTestEnvironment({ topology, control: true, crds: [JSON.stringify(boats)] });
      config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
      custom = config.makeApiClient(CustomObjectsApi);
    });
    after(() => env?.stop());
    afterEach(() => env.faults.clear());

    describe('a webhook', () => {
      const match = { names: ['sees.all.data'] };
      const cases = [
        [{ kind: 'refuse' }, /failed calling webhook "sees\.all\.data": .*connect: connection refused$/],
        [
          { kind: 'status', code: 503 },
          /failed calling webhook "sees\.all\.data": .*currently unable to handle the request/,
        ],
        [{ kind: 'garble' }, /failed calling webhook "sees\.all\.data": /],
        [{ kind: 'silence' }, /failed calling webhook "sees\.all\.data": .*context deadline exceeded$/],
      ] as const;
      for (const [effect, message] of cases)
        it(`that meets ${effect.kind} fails those who need it, and nobody after that`, async () => {
          let calls = 0;
          await using _hook = await env.webhooks.validating(
            { rules, name: 'sees.all.data', timeoutSeconds: 1 },
            () => void calls++,
          );
          const fault = await env.faults.add({ target: 'webhook', match, effect, count: 1 });
          const refused = await refusal(create());
          expect(refused.code).to.equal(500);
          expect(refused.message).to.match(message);
          expect([calls, await fault.happened()]).to.deep.equal([0, 1]);
          await create();
          expect(calls).to.equal(1);
        });

      it('that is slow takes its time, and is asked', async () => {
        let calls = 0;
        await using _hook = await env.webhooks.validating({ rules, name: 'sees.all.data' }, () => void calls++);
        await env.faults.add({ target: 'webhook', match, effect: { kind: 'delay', milliseconds: 300 } });
        const startedAt = performance.now();
        await create();
        expect([calls, performance.now() - startedAt >= 290]).to.deep.equal([1, true]);
      });

      it('that converts meets them by the name of its definition', async () => {
        const at = { group, namespace, plural: 'boats' };
        const body = { apiVersion: `${group}/v1`, kind: 'Boat', metadata: { name: 'one' } };
        await custom.createNamespacedCustomObject({ ...at, version: 'v1', body });
        const conversion = await env.webhooks.conversion(`boats.${group}`, (boat) => ({ ...boat, converted: true }));
        try {
          await env.faults.add({
            target: 'webhook',
            match: { names: [`boats.${group}`] },
            effect: { kind: 'refuse' },
            count: 1,
          });
          const read = (): Promise<unknown> => custom.getNamespacedCustomObject({ ...at, version: 'v2', name: 'one' });
          expect((await refusal(read())).message).to.match(/conversion webhook .* failed: .*connection refused/);
          expect(await read()).to.deep.include({ converted: true });
        } finally {
          await conversion.remove();
        }
      });
    });

    describe('an extension server', () => {
      const at = { group: 'kitchen.example.com', version: 'v1', namespace, plural: 'soups' };
      const name = 'v1.kitchen.example.com';

      it('that nobody reaches is told to its clients, becomes unavailable, and comes back', async () => {
        const served = await env.apis.serve({
          group: at.group,
          version: at.version,
          resources: [{ plural: 'soups', kind: 'Soup', list: () => [] }],
        });
        try {
          const services = config.makeApiClient(ApiregistrationV1Api);
          const isAvailable = async (): Promise<boolean> =>
            (await services.readAPIService({ name })).status?.conditions?.find(({ type }) => type === 'Available')
              ?.status === 'True';
          await custom.listNamespacedCustomObject(at);
          const fault = await env.faults.add({
            target: 'apiservice',
            match: { names: [name] },
            effect: { kind: 'refuse' },
          });
          const refused = await refusal(custom.listNamespacedCustomObject(at));
          expect(refused.code).to.equal(503);
          expect(refused.message).to.match(/connection refused|service unavailable/);
          expect(await fault.happened()).to.be.at.least(1);
          await env.clock.advance('1m');
          await until('it is unavailable', async () => !(await isAvailable()));
          await fault.remove();
          await env.clock.advance('1m');
          await until('it is available', isAvailable);
          await custom.listNamespacedCustomObject(at);
        } finally {
          await served.remove();
        }
      });
    });

    describe('the next server', () => {
      it('that nobody reaches gives 503 and Retry-After for what it serves', async () => {
        await env.faults.add({ target: 'delegate', match: { names: ['apiextensions'] }, effect: { kind: 'refuse' } });
        const boatsAt = { group, version: 'v1', namespace, plural: 'boats' };
        const refused = await refusal(custom.listNamespacedCustomObject(boatsAt));
        expect(refused.code).to.equal(503);
        expect(refused.message).to.equal('error trying to reach apiextensions: connection refused');
        await create();
        await env.faults.clear();
        await custom.listNamespacedCustomObject(boatsAt);
      });

      it('that answers without sense is passed on', async () => {
        const match = { names: ['apiextensions'] };
        const boatsAt = { group, version: 'v1', namespace, plural: 'boats' };
        await env.faults.add({ target: 'delegate', match, effect: { kind: 'status', code: 502 }, count: 1 });
        expect((await refusal(custom.listNamespacedCustomObject(boatsAt))).code).to.equal(502);
        await env.faults.add({ target: 'delegate', match, effect: { kind: 'garble' }, count: 1 });
        await custom.listNamespacedCustomObject(boatsAt).then(
          () => expect.fail('half a document was taken'),
          (error: unknown) => expect(error).to.be.instanceOf(SyntaxError),
        );
        await custom.listNamespacedCustomObject(boatsAt);
      });
    });

    describe('the store', () => {
      const match = { names: ['/registry/configmaps/*'] };

      it('that has no space left refuses writes and is read', async () => {
        const name = (await create()).metadata?.name ?? '';
        await env.faults.add({ target: 'store', match, effect: { kind: 'readOnly' } });
        const refused = await refusal(create());
        expect(refused.code).to.equal(500);
        expect(refused.message).to.match(/database space exceeded/);
        expect((await core.readNamespacedConfigMap({ namespace, name })).metadata?.name).to.equal(name);
      });

      it('that loses an answer has taken the write', async () => {
        await env.faults.add({ target: 'store', match, effect: { kind: 'loseAnswer' }, count: 1 });
        const refused = await refusal(create());
        expect(refused.code).to.be.at.least(500);
        await core.readNamespacedConfigMap({ namespace, name: `made-${made}` });
      });

      it('that is gone is told at once, and informers miss nothing after it', async () => {
        const seen = new Set<string>();
        const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
          core.listNamespacedConfigMap({ namespace }),
        );
        informer.on('add', (object) => void seen.add(object.metadata?.name ?? ''));
        let over = false;
        informer.on('error', () => {
          if (!over) setTimeout(() => void informer.start(), 50);
        });
        await informer.start();
        const first = (await create()).metadata?.name ?? '';
        await until('the first is seen', () => seen.has(first));
        const fault = await env.faults.add({ target: 'store', match: {}, effect: { kind: 'refuse' } });
        const startedAt = performance.now();
        const refused = await refusal(create());
        const lost = `made-${made}`;
        expect(refused.code).to.be.at.least(500);
        expect(performance.now() - startedAt).to.be.lessThan(5_000);
        await delay(500);
        await fault.remove();
        let last = '';
        await until('it writes again', async () => {
          try {
            last = (await create()).metadata?.name ?? '';
            return true;
          } catch {
            return false;
          }
        });
        await until('the last is seen', () => seen.has(last));
        expect(seen.has(lost)).to.equal(false);
        over = true;
        await informer.stop();
      });

      it('whose watches stand still leaves caches behind, and answers those who ask for the latest', async () => {
        const read = async (resourceVersion?: string): Promise<readonly (string | undefined)[]> =>
          (
            await core.listNamespacedConfigMap({
              namespace,
              ...(resourceVersion === undefined ? {} : { resourceVersion }),
            })
          ).items.map(({ metadata }) => metadata?.name);
        await create();
        await read();
        const fault = await env.faults.add({
          target: 'store',
          match: { names: ['/registry/configmaps*'], verbs: ['watch'] },
          effect: { kind: 'silence' },
        });
        expect(await fault.happened()).to.equal(1);
        const name = (await create()).metadata?.name;
        expect(await read('0')).not.to.include(name);
        expect(await read()).to.include(name);
        await fault.remove();
        await until('the cache has it', async () => (await read('0')).includes(name));
      });
    });

    it('are drawn by chaos with all others, and everybody is well when it is over', async () => {
      const chaos = await env.faults.chaos({ probability: 1, seed: 7 });
      const [, , ...calls] = chaos.faults;
      expect(calls).to.have.length(5);
      // Faults of requests would keep most from what is called for them.
      await env.faults.clear();
      await env.faults.apply(
        JSON.stringify({
          seed: 7,
          steps: ['webhook', 'apiservice', 'delegate', 'store'].map((target) => ({
            target,
            probability: 0.2,
            effect: { kind: 'chaos' },
          })),
        }),
      );
      for (let i = 0; i < 40; i++) await create().catch(() => undefined);
      const happened = (await env.faults.list()).map((fault) => fault.happened);
      expect(happened.reduce((sum, times) => sum + times)).to.be.greaterThan(5);
      await env.faults.clear();
      await until('objects are made again', () =>
        create().then(
          () => true,
          () => false,
        ),
      );
      const { items } = await core.listNamespacedConfigMap({ namespace });
      expect(items.map(({ metadata }) => metadata?.name)).to.include(`made-${made}`);
    });

    it('are refused when they could not happen', async () => {
      await refusalOf(
        env.faults.add({ target: 'delegate', match: {}, effect: { kind: 'readOnly' } as never }),
        'effect.kind of a delegate must be one of delay, refuse, silence, status, garble, chaos',
      );
      await refusalOf(
        env.faults.add({ target: 'webhook', match: {}, effect: { kind: 'status', code: 200 } }),
        'effect.code must be from 400 to 599',
      );
    });
  });

async function refusalOf(call: Promise<unknown>, message: string): Promise<void> {
  const refused = await call.then(
    () => 'nothing',
    (error: unknown) => (error as Error).message,
  );
  expect(refused).to.equal(message);
}
