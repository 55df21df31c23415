import {
  AppsV1Api,
  AuthenticationV1Api,
  BatchV1Api,
  CoordinationV1Api,
  CoreV1Api,
  KubeConfig,
  type V1Deployment,
  type V1Node,
  type V1Pod,
  type V1PodSpec,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { execFile, spawnSync } from 'node:child_process';
import { get } from 'node:https';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';

const namespace = 'default';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < 1_500; i++) {
    if (await condition()) return;
    await delay(20);
  }
  throw new Error(`it has not come to this: ${what}`);
}

type PodOptions = V1PodSpec & { readonly annotations?: Record<string, string> };

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

/** What kubectl prints of an object. */
function tableOf({ adminToken, caCertificate, url }: TestEnvironment, path: string): Promise<Table> {
  const headers = {
    accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    authorization: `Bearer ${adminToken}`,
  };
  return new Promise((resolve, reject) => {
    get(`${url}${path}`, { ca: caCertificate, headers }, (response) => {
      resolve(json(response) as Promise<Table>);
    }).once('error', reject);
  });
}

async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    return (error as { readonly code?: number }).code ?? 0;
  }
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`the clock of a test environment: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let config: KubeConfig;
    let core: CoreV1Api;
    const createdAt = async (name: string): Promise<number> => {
      const { metadata } = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name } } });
      return metadata?.creationTimestamp?.getTime() ?? 0;
    };

    before(async () => {
      env = await startTestEnvironment({ topology, control: true, controllers: ['*'], flags: ['--nodes=2'] });
      config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
    });
    after(() => env.stop());

    it('is the machine’s until it is moved, and what is made has its time', async () => {
      const before = Date.now();
      expect((await env.clock.now()).getTime()).to.be.within(before - 1, Date.now() + 1);
      await env.clock.set('2040-02-03T04:05:06Z');
      expect((await env.clock.state()).frozen).to.equal(false);
      expect(await createdAt('set')).to.be.within(
        Date.parse('2040-02-03T04:05:05Z'),
        Date.parse('2040-02-03T04:06:06Z'),
      );
      const { now } = await env.clock.reset();
      // It was years ahead.
      expect(Math.abs(Date.parse(now) - Date.now())).to.be.below(60_000);
    });

    it('stands still, is moved while it stands, and goes on', async () => {
      const { frozen, now } = await env.clock.freeze();
      expect(frozen).to.equal(true);
      const whole = Math.floor(Date.parse(now) / 1_000) * 1_000;
      expect(await createdAt('frozen')).to.equal(whole);
      await delay(1_100);
      expect(await createdAt('frozen-too')).to.equal(whole);
      await env.clock.advance('90s');
      expect(await createdAt('frozen-later')).to.equal(whole + 90_000);
      await env.clock.resume();
      const moving = await env.clock.now();
      await delay(20);
      expect((await env.clock.now()).getTime()).to.be.greaterThan(moving.getTime());
      await env.clock.reset();
    });

    it('ends events that are an hour old, in the store', async () => {
      await core.createNamespacedEvent({
        namespace,
        body: {
          metadata: { name: 'short-lived', namespace },
          involvedObject: { kind: 'ConfigMap', name: 'a', namespace },
          reason: 'Test',
          type: 'Normal',
        },
      });
      const there = async (): Promise<boolean> =>
        (await codeOf(core.readNamespacedEvent({ namespace, name: 'short-lived' }))) === 200;
      await env.clock.advance('30m');
      expect(await there()).to.equal(true);
      await env.clock.advance('90m');
      await until('the event is gone', async () => !(await there()));
    });

    it('ends tokens', async () => {
      const user = await env.addUser(`system:serviceaccount:${namespace}:robot`);
      const robot = new KubeConfig();
      robot.loadFromOptions(user.kubeConfig);
      const reviews = robot.makeApiClient(AuthenticationV1Api);
      const ask = (): Promise<number> => codeOf(reviews.createSelfSubjectReview({ body: { metadata: {} } }));
      expect(await ask()).to.be.oneOf([200, 201]);
      await env.clock.advance(2 * dayMs);
      expect(await ask()).to.equal(401);
    });

    it('lets cron jobs be due', async () => {
      const batch = config.makeApiClient(BatchV1Api);
      await batch.createNamespacedCronJob({
        namespace,
        body: {
          metadata: { name: 'hourly' },
          spec: {
            schedule: '0 * * * *',
            jobTemplate: {
              spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } } },
            },
          },
        },
      });
      const jobs = async (): Promise<number> => (await batch.listNamespacedJob({ namespace })).items.length;
      await until('the cron job was seen', async () => {
        const { status } = await batch.readNamespacedCronJob({ namespace, name: 'hourly' });
        return status !== undefined;
      });
      expect(await jobs()).to.equal(0);
      await env.clock.advance('1h');
      await until('its job is there', async () => (await jobs()) === 1);
      await env.clock.advance('1h');
      await until('the next one is there', async () => (await jobs()) === 2);
    });

    it('ends the patience with a deployment', async () => {
      const apps = config.makeApiClient(AppsV1Api);
      const labels = { app: 'stuck' };
      await apps.createNamespacedDeployment({
        namespace,
        body: {
          metadata: { name: 'stuck' },
          spec: {
            replicas: 1,
            selector: { matchLabels: labels },
            template: {
              metadata: { labels },
              spec: { nodeSelector: { nobody: 'has' }, containers: [{ name: 'a', image: 'a' }] },
            },
          },
        },
      });
      const reasons = ({ status }: V1Deployment): (string | undefined)[] =>
        (status?.conditions ?? []).filter(({ type }) => type === 'Progressing').map(({ reason }) => reason);
      const read = (): Promise<V1Deployment> => apps.readNamespacedDeployment({ namespace, name: 'stuck' });
      await until('it is progressing', async () => reasons(await read())[0] === 'ReplicaSetUpdated');
      await env.clock.advance('11m');
      await until('it has stopped', async () => reasons(await read())[0] === 'ProgressDeadlineExceeded');
    });

    it('tells ages', async () => {
      await createdAt('aged');
      await env.clock.advance('5h');
      const table = await tableOf(env, `/api/v1/namespaces/${namespace}/configmaps/aged`);
      const age = table.columnDefinitions.findIndex(({ name }) => name === 'Age');
      expect(table.rows[0]?.cells[age]).to.match(/^5h/);
    });

    const pod = (name: string, { annotations, ...spec }: PodOptions): { namespace: string; body: V1Pod } => ({
      namespace,
      body: { metadata: { name, annotations: annotations ?? {} }, spec },
    });
    const podOf = (name: string): Promise<V1Pod> => core.readNamespacedPod({ namespace, name });

    it('ends the grace that pods are given', async () => {
      const lifecycle = { preStop: { sleep: { seconds: 3_600 } } };
      await core.createNamespacedPod(
        pod('graceful', {
          terminationGracePeriodSeconds: 7_200,
          containers: [{ name: 'a', image: 'a', lifecycle }],
        }),
      );
      await until('it runs', async () => (await podOf('graceful')).status?.phase === 'Running');
      await core.deleteNamespacedPod({ namespace, name: 'graceful' });
      await env.clock.advance('30m');
      expect((await podOf('graceful')).metadata?.deletionGracePeriodSeconds).to.equal(7_200);
      await env.clock.advance('31m');
      await until('it is gone', async () => (await codeOf(podOf('graceful'))) === 404);
    });

    it('ends back-offs', async () => {
      const annotations = { 'simulation.kubechain.dev/failure': 'exit' };
      await core.createNamespacedPod(pod('failing', { annotations, containers: [{ name: 'a', image: 'a' }] }));
      const restarts = async (): Promise<number> =>
        (await podOf('failing')).status?.containerStatuses?.[0]?.restartCount ?? 0;
      // After some it waits for minutes.
      for (let wanted = 1; wanted <= 6; wanted++)
        await until(`restart ${wanted}`, async () => {
          await env.clock.advance('10m');
          return (await restarts()) >= wanted;
        });
      await core.deleteNamespacedPod({ namespace, name: 'failing', gracePeriodSeconds: 0 });
    });

    it('keeps nodes alive, but for those that are lost', async () => {
      const ready = ({ status }: V1Node): string | undefined =>
        status?.conditions?.find(({ type }) => type === 'Ready')?.status;
      const states = async (): Promise<(string | undefined)[]> => (await core.listNode()).items.map(ready);
      const lease = async (): Promise<number> => {
        const { spec } = await config
          .makeApiClient(CoordinationV1Api)
          .readNamespacedLease({ namespace: 'kube-node-lease', name: 'node-0' });
        return new Date(spec?.renewTime as unknown as string).getTime();
      };
      await until('both are ready', async () => (await states()).join() === 'True,True');
      for (let i = 0; i < 5; i++) {
        const { now } = await env.clock.advance('1h');
        expect(Math.abs(Date.parse(now) - (await lease()))).to.be.below(15_000);
        expect((await states()).join()).to.equal('True,True');
      }
      await env.install(
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: 'node-1', annotations: { 'simulation.kubechain.dev/failure': 'lost' } },
        }),
      );
      // Who plays nodes hears of it by and by.
      await until('one is unknown', async () => {
        await env.clock.advance('1m');
        expect((await states())[0]).to.equal('True');
        return (await states())[1] === 'Unknown';
      });
    });

    it('is moved from the command line', async () => {
      const bin = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');
      const run = async (...args: readonly string[]): Promise<{ readonly now: string }> =>
        JSON.parse(
          (
            await promisify(execFile)(process.execPath, [
              bin,
              'clock',
              ...args,
              '--data-dir',
              env.dataDir,
              '--output',
              'json',
            ])
          ).stdout,
        ) as { readonly now: string };
      const before = Date.parse((await run()).now);
      expect(Date.parse((await run('advance', '10m')).now) - before).to.be.within(600_000, 660_000);
    });

    it('is left where it is, and nobody waits for ever, while the process that would move it is held', async () => {
      const bin = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');
      const before = (await env.clock.state()).offsetMs;
      const call = [bin, 'clock', 'advance', '1h', '--data-dir', env.dataDir];
      const { status, stderr } = spawnSync(process.execPath, call, { encoding: 'utf8', timeout: 60_000 });
      const moved = topology === 'all-in-one';
      expect(status, stderr).to.equal(moved ? 0 : 1);
      if (!moved) expect(stderr).to.contain('the clock was not moved: the process that started the chain');
      await env.clock.advance('1m');
      expect((await env.clock.state()).offsetMs - before).to.equal(60_000 + (moved ? hourMs : 0));
    });

    it('refuses what is no time', async () => {
      for (const [call, message] of [
        [() => env.clock.advance('soon'), 'advance must be a duration like 1h30m, or milliseconds, not below 0'],
        [() => env.clock.advance(-1), 'advance must be a duration like 1h30m, or milliseconds, not below 0'],
        [() => env.clock.set('tomorrow'), 'set must be a time like 2030-01-01T00:00:00Z'],
      ] as const)
        await call().then(
          () => expect.fail('it was taken'),
          (error: Error) => expect(error.message).to.equal(message),
        );
    });

    it('ends certificates of users, not those of the chain', async () => {
      const user = await env.addUser('anna', ['system:masters']);
      const anna = new KubeConfig();
      anna.loadFromOptions(user.kubeConfig);
      const read = (): Promise<number> => codeOf(anna.makeApiClient(CoreV1Api).readNamespace({ name: namespace }));
      expect(await read()).to.equal(200);
      await env.clock.advance(400 * dayMs);
      expect(await read()).to.equal(401);
      await core.readNamespace({ name: namespace });
      await env.clock.reset();
      expect(await read()).to.equal(200);
    });
  });
