import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';
import { inject } from './harness/inject.ts';
import { pidOf } from './harness/process-of.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Of what the kube-apiserver does not answer. */
const ofTheAggregator = '/apis/apiregistration.k8s.io/v1/apiservices?limit=1';

/** Creates ConfigMaps, one after the other, until it is told to stop; remembers which were acknowledged. */
class Writer {
  readonly acknowledged: string[] = [];
  readonly refusals: string[] = [];
  readonly #client: Client;
  #stopped = false;
  readonly #done: Promise<void>;

  constructor(client: Client) {
    this.#client = client;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #run(): Promise<void> {
    for (let i = 0; !this.#stopped; i++) {
      const name = `written-${i}`;
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const answer = await this.#client.post(configMaps, body, { timeoutMs: 90_000 });
      if (answer.status === 201) this.acknowledged.push(name);
      else this.refusals.push(`${answer.status} retry-after=${answer.headers['retry-after'] ?? ''}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/**
 * Waits for another process in place of the one with this id; meanwhile the aggregator is asked for what is its own.
 */
async function replaced(chain: Chain, oldPid: number, client: Client): Promise<number> {
  let slowestMs = 0;
  for (const end = Date.now() + 90_000; Date.now() < end;) {
    const startedAt = performance.now();
    expect((await client.get(ofTheAggregator)).status).to.equal(200);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    try {
      if (pidOf(chain.dataDir, 'kube-apiserver') !== oldPid) return slowestMs;
    } catch {
      // Between the two.
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`kube-apiserver ${oldPid} still runs:\n${chain.output()}`);
}

async function expectAllWritten(client: Client, writer: Writer): Promise<void> {
  await client.until(configMaps, ({ status }) => status === 200);
  await writer.stop();
  const list = (await client.get(configMaps)).body as { readonly items: { readonly metadata: { name: string } }[] };
  const stored = new Set(list.items.map(({ metadata }) => metadata.name));
  expect(writer.acknowledged.filter((name) => !stored.has(name))).to.deep.equal([]);
  expect(writer.acknowledged.length).to.be.greaterThan(3);
  // Of the write that was under way nobody knows whether it was done: only of later ones it is said when to try again.
  const [underWay, ...later] = writer.refusals;
  expect(underWay).to.equal('503 retry-after=');
  expect(later.filter((refusal) => !/^503 retry-after=\d+$/.test(refusal))).to.deep.equal([]);
}

describe('a process that is alive and stuck', function () {
  this.timeout(240_000);
  let chain: Chain;
  afterEach(async () => {
    await chain.stop();
  });

  it('is ended by its own watchdog, which says where it was, and started again', async () => {
    const port = await freePort();
    chain = await startChain({ flags: [`--inspect=${port}`, '--watchdog-timeout=3s'] });
    const client = Client.fromKubeconfig(chain.kubeconfig);
    const writer = new Writer(Client.fromKubeconfig(chain.kubeconfig));
    const oldPid = pidOf(chain.dataDir, 'kube-apiserver');
    await inject(
      port + 1,
      `function spinForever() { for (;;); }
       setTimeout(() => {
         process.getBuiltinModule('node:inspector').close();
         setTimeout(spinForever, 1_000);
       }, 500); 1`,
    );
    expect(await replaced(chain, oldPid, client), 'slowest answer of the aggregator').to.be.lessThan(1_000);
    expect(readFileSync(join(chain.dataDir, 'logs/kube-apiserver.log'), 'utf8')).to.match(
      /watchdog\] "the event loop is held; ending the process.*stack="spinForever/,
    );
    await expectAllWritten(client, writer);
    client.close();
  });

  it('is ended by its supervisor when not even its watchdog runs, and started again', async () => {
    chain = await startChain();
    const client = Client.fromKubeconfig(chain.kubeconfig);
    const writer = new Writer(Client.fromKubeconfig(chain.kubeconfig));
    await client.until(configMaps, () => writer.acknowledged.length > 3);
    const oldPid = pidOf(chain.dataDir, 'kube-apiserver');
    process.kill(oldPid, 'SIGSTOP');
    expect(await replaced(chain, oldPid, client), 'slowest answer of the aggregator').to.be.lessThan(1_000);
    expect(chain.output()).to.match(/kube-apiserver +has not answered for 20 s, killing it/);
    await expectAllWritten(client, writer);
    client.close();
  });

  it('leaves nothing behind that others may read', async () => {
    chain = await startChain();
    const open: string[] = [];
    const look = (path: string): void => {
      const { mode } = statSync(path);
      if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`);
      if (statSync(path).isDirectory()) for (const name of readdirSync(path)) look(join(path, name));
    };
    for (const name of readdirSync(chain.dataDir)) look(join(chain.dataDir, name));
    expect(open).to.deep.equal([]);
  });
});

/** Runs JavaScript on the thread that has all servers, and closes the inspector behind it. */
async function injectIntoThread(chain: Chain, port: number, expression: string): Promise<void> {
  chain.kill('SIGUSR1');
  await eventually(() => chain.output().includes(`127.0.0.1:${port}/`));
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
  await inject(
    port,
    `{
       const { close, Session } = process.getBuiltinModule('node:inspector');
       const session = new Session();
       session.connect();
       session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) => {
         session.post('NodeWorker.sendMessageToWorker', { sessionId, message: ${JSON.stringify(message)} });
         setTimeout(() => { session.disconnect(); close(); }, 500);
       });
       session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
     } 1`,
  );
}

async function eventually(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 90_000; !holds();) {
    if (Date.now() > end) throw new Error('it does not come to hold');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('all servers on a thread that is stuck', function () {
  this.timeout(240_000);
  const spin = 'setTimeout(function spinForever() { for (;;); }, 1_500); 1';
  let chain: Chain;
  afterEach(async () => {
    await chain.stop();
  });

  async function start(...flags: string[]): Promise<{ readonly client: Client; readonly port: number }> {
    const port = await freePort();
    chain = await startChain({
      flags: ['--topology=all-in-one', '--watchdog-timeout=3s', ...flags],
      environment: { NODE_OPTIONS: `--inspect-port=${port}` },
    });
    return { client: Client.fromKubeconfig(chain.kubeconfig), port };
  }

  const log = (): string => readFileSync(join(chain.dataDir, 'logs/all-in-one.log'), 'utf8');

  it('are started again on another one, with all that was written', async () => {
    const { client, port } = await start();
    const names: string[] = [];
    for (let i = 0; i < 5; i++) {
      const metadata = { name: `written-${i}` };
      expect((await client.post(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata })).status).to.equal(201);
      names.push(metadata.name);
    }
    await injectIntoThread(chain, port, spin);
    await eventually(() => chain.output().includes('all-in-one      back after'));
    expect(chain.output()).to.match(/all-in-one +the event loop was held for \d+ s; the log says by what/);
    expect(log()).to.match(/watchdog\] "the event loop is held; ending the thread" .*stack="spinForever/);
    const again = Client.fromKubeconfig(chain.kubeconfig);
    const { items } = (await again.get(configMaps)).body as { items: { metadata: { name: string } }[] };
    expect(items.map(({ metadata }) => metadata.name)).to.include.members(names);
    client.close();
    again.close();
    expect(await chain.stop()).to.equal(0);
  });

  it('are told of when they go on, and counted', async () => {
    const { client, port } = await start();
    await client.get(configMaps);
    await injectIntoThread(
      chain,
      port,
      `setTimeout(function spinAWhile() {
         for (const end = performance.now() + 2_000; performance.now() < end; );
       }, 1_500); 1`,
    );
    await eventually(() => log().includes('watchdog] "the event loop was held"'));
    expect(log()).to.match(/"the event loop was held" heldMs=\d{4} stack="[^"]*spinAWhile/);
    expect((await client.get('/metrics')).text).to.match(/^kubechain_event_loop_stalls_total 1$/m);
    client.close();
  });

  it('end the command where the control API has what another thread would not', async () => {
    const { client, port } = await start('--control');
    await client.get(configMaps);
    await injectIntoThread(chain, port, spin);
    expect(await chain.ended).to.equal(1);
    expect(chain.output()).to.include('kubechain: the event loop was held for');
    client.close();
  });
});
