import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { Agent, get } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { promisify } from 'node:util';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';

const bin = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');
const expired = { target: 'certificate', effect: { kind: 'expired' } } as const;

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`a serving certificate that expires: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;

    before(async () => {
      env = await startTestEnvironment({ topology, control: true });
    });
    after(() => env?.stop());
    afterEach(() => env.faults.clear());

    /** What a client finds that connects anew: `ok`, or the code of what is wrong. */
    const found = (session?: Buffer): Promise<string> =>
      new Promise((resolve) => {
        const { hostname: host, port } = new URL(env.url);
        const options = {
          host,
          port: Number(port),
          ca: env.caCertificate,
          ...(session === undefined ? {} : { session }),
        };
        const socket = connect(options, () => {
          resolve('ok');
          socket.destroy();
        });
        socket.once('error', (error: NodeJS.ErrnoException) => {
          resolve(error.code ?? error.message);
        });
      });
    const ask = (agent: Agent): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { agent, ca: env.caCertificate, headers: { authorization: `Bearer ${env.adminToken}` } };
        get(`${env.url}/api/v1/namespaces`, options, (response) => {
          response.resume();
          response.once('end', () => {
            resolve(response.statusCode ?? 0);
          });
        }).once('error', reject);
      });

    it('is seen as long as the fault lasts, and the good one after it', async () => {
      expect(await found()).to.equal('ok');
      const fault = await env.faults.add(expired);
      expect(await found()).to.equal('CERT_HAS_EXPIRED');
      expect(await fault.happened()).to.equal(1);
      await fault.remove();
      expect(await found()).to.equal('ok');
    });

    it('is met by clients that keep their connections, and client-node goes on afterwards', async () => {
      const agent = new Agent({ keepAlive: true });
      expect(await ask(agent)).to.equal(200);
      const config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      const core = config.makeApiClient(CoreV1Api);
      await core.listNamespace();
      const fault = await env.faults.add(expired);
      const refused = await ask(agent).catch((error: unknown) => (error as NodeJS.ErrnoException).code);
      expect(refused).to.equal('CERT_HAS_EXPIRED');
      const failed = await core.listNamespace().catch((error: unknown) => (error as Error).cause);
      expect((failed as NodeJS.ErrnoException).code).to.equal('CERT_HAS_EXPIRED');
      await fault.remove();
      expect(await ask(agent)).to.equal(200);
      expect((await core.listNamespace()).items).to.not.have.length(0);
      agent.destroy();
    });

    it('begins and ends by the clock of the chain, out of a scenario', async () => {
      const step = { at: '1m', for: '30s', ...expired };
      await using scenario = await env.faults.apply(JSON.stringify({ steps: [step] }));
      expect(scenario.faults).to.have.length(1);
      try {
        const seen = [await found()];
        for (const by of ['1m', '30s']) {
          await env.clock.advance(by);
          seen.push(await found());
        }
        expect(seen).to.deep.equal(['ok', 'CERT_HAS_EXPIRED', 'ok']);
      } finally {
        await env.clock.reset();
      }
    });

    it('comes and goes with the clock in chaos, the same by the same seed', async () => {
      const round = async (): Promise<string> => {
        // Requests of the test go by the socket of the control API; what servers call is not asked for.
        const chaos = await env.faults.apply(JSON.stringify({ seed: 7, steps: [{ ...expired, probability: 0.5 }] }));
        const seen: string[] = [];
        for (let i = 0; i < 10; i++) {
          seen.push(await found());
          await env.clock.advance('2s');
        }
        await chaos.remove();
        return seen.join(' ');
      };
      try {
        await env.clock.freeze();
        const first = await round();
        expect(first).to.include('ok').and.to.include('CERT_HAS_EXPIRED');
        expect(await round()).to.equal(first);
        expect(await found()).to.equal('ok');
      } finally {
        await env.clock.reset();
      }
    });

    it('is among what chaos draws, but for tenants, which have none of their own', async () => {
      const targets = async ({ faults }: Pick<TestEnvironment, 'faults'>): Promise<readonly (string | undefined)[]> => {
        await using chaos = await faults.chaos({ probability: 1, seed: 7 });
        return (await faults.list()).filter(({ id }) => chaos.faults.includes(id)).map(({ rule }) => rule.target);
      };
      expect(await targets(env)).to.include('certificate');
      await using tenant = await env.tenant('b');
      expect(await targets(tenant)).to.include('certificate');
    });

    it('is set from the command line, and refused where it makes no sense', async () => {
      const add = (rule: object): Promise<unknown> =>
        promisify(execFile)(process.execPath, [bin, 'fault', 'add', JSON.stringify(rule), '--data-dir', env.dataDir]);
      await add(expired);
      expect(await found()).to.equal('CERT_HAS_EXPIRED');
      const refused = await add({ ...expired, count: 2 }).catch((error: unknown) => (error as Error).message);
      expect(refused).to.include('a fault of the certificate has no member "count"');
      await using tenant = await env.tenant('a');
      const inTenant = await tenant.faults.add(expired).catch((error: unknown) => (error as Error).message);
      expect(inTenant).to.include('not in tenants');
    });
  });
