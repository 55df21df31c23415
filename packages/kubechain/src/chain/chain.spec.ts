import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  FAKE_SUPERVISOR,
  fakeControllers,
  fakeServers,
  readJournal,
  type JournalEntry,
} from '../testing/fake-servers.ts';
import { startTestEnvironment } from '../testing/start-test-environment.ts';
import type { ChainOptions } from './chain-options.ts';
import { startChain, type Chain, type ChainEvent } from './chain.ts';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventually(check: () => boolean): Promise<void> {
  for (let tries = 0; !check(); tries++) {
    if (tries > 500) throw new TypeError('did not happen within 10 s');
    await delay(20);
  }
}

describe('chain of processes', function () {
  this.timeout(120_000);
  let dataDir: string;
  let journal: string;
  let chain: Chain | undefined;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'kubechain-spec-'));
    journal = process.env['FAKE_SERVER_JOURNAL'] = join(dataDir, 'journal');
  });
  afterEach(async () => {
    await chain?.stop();
    chain = undefined;
    delete process.env['FAKE_SERVER_JOURNAL'];
    rmSync(dataDir, { recursive: true });
  });

  const start = async (changes: Partial<ChainOptions> = {}, onEvent?: (event: ChainEvent) => void): Promise<Chain> => {
    chain = await startChain(
      { dataDir, securePort: 7443, securePortGiven: true, serverFlags: [], ...changes },
      {
        servers: fakeServers(dataDir),
        controllers: fakeControllers(dataDir),
        nowMs: Date.now(),
        restartDelayMs: 10,
        ...(onEvent === undefined ? {} : { onEvent }),
      },
    );
    return chain;
  };
  const argsOf = (name: string): readonly string[] =>
    readJournal(journal).find((entry) => entry.name === name && entry.event === 'start')!.args;
  const events = (event: JournalEntry['event']): string[] =>
    readJournal(journal)
      .filter((entry) => entry.event === event)
      .map(({ name }) => name);

  it('starts store and servers, and links them', async () => {
    const { url, kubeconfig } = await start({
      serverFlags: [
        { name: 'v', arguments: ['-v', '4'] },
        { name: 'enable-aggregator-routing', arguments: ['--enable-aggregator-routing'] },
      ],
    });
    expect(url).to.equal('https://127.0.0.1:7443');
    expect(statSync(kubeconfig).mode & 0o777).to.equal(0o600);
    const run = join(dataDir, 'run');
    expect(argsOf('aggregator')).to.include.members([
      '--secure-port=7443',
      `--delegate=unix:${run}/kube-apiserver.sock`,
      `--etcd-servers=unix:${run}/etcd.sock`,
      '-v',
      '4',
      '--enable-aggregator-routing',
    ]);
    expect(argsOf('kube-apiserver')).to.include.members([
      '--secure-port=0',
      `--delegate-listen=unix:${run}/kube-apiserver.sock`,
      `--delegate=unix:${run}/apiextensions.sock`,
      '-v',
      '4',
    ]);
    expect(argsOf('kube-apiserver')).not.to.include('--enable-aggregator-routing');
    expect(argsOf('apiextensions')).to.include(`--delegate-listen=unix:${run}/apiextensions.sock`);
    expect(argsOf('apiextensions').some((argument) => argument.startsWith('--delegate='))).to.equal(false);
  });
  it("lets the user's flags win", async () => {
    await start({ serverFlags: [{ name: 'client-ca-file', arguments: ['--client-ca-file', 'mine.crt'] }] });
    expect(argsOf('aggregator').filter((argument) => argument.startsWith('--client-ca-file'))).to.deep.equal([
      '--client-ca-file',
    ]);
  });
  it('is there when readyz holds, and one server alone when it is ready itself', async () => {
    const serverFlags = [{ name: 'never-whole', arguments: ['--never-whole'] }];
    const abort = new AbortController();
    const ready: string[] = [];
    const starting = startChain(
      { dataDir, securePort: 7443, securePortGiven: true, serverFlags },
      {
        servers: fakeServers(dataDir),
        nowMs: Date.now(),
        signal: abort.signal,
        onEvent: (event) => event.kind === 'ready' && ready.push(event.name),
      },
    ).then(
      () => 'started',
      (reason: Error) => reason.message,
    );
    await eventually(() => ready.length === 4);
    await delay(50);
    abort.abort();
    expect(await starting).to.equal('stopped before it was ready');
    await start({ serverFlags, only: 'aggregator' });
  });
  it('says who was not ready in time, and what it said last', async () => {
    const serverFlags = [
      { name: 'never-ready', arguments: ['--never-ready'] },
      { name: 'say', arguments: ['--say=waiting for somebody'] },
    ];
    const error = await start({ serverFlags, only: 'apiextensions', readyTimeoutMs: 3_000 }).catch(
      (reason: unknown) => reason,
    );
    expect(error)
      .to.have.property('message')
      .that.matches(
        /^apiextensions not ready after 3 s \(--ready-timeout, 0 .*\); apiextensions: waiting for somebody; see .*logs$/,
      );
    expect(error).to.have.property('code', 'Timeout');
    const notWhole = [{ name: 'never-whole', arguments: ['--never-whole'] }];
    const unreachable = await start({ serverFlags: notWhole, readyTimeoutMs: 3_000 }).catch(
      (reason: unknown) => reason,
    );
    // Nobody listens at the port of the fake.
    expect(unreachable)
      .to.have.property('message')
      .that.matches(/^aggregator not ready after 3 s .*; aggregator: connect ECONNREFUSED 127\.0\.0\.1:7443; see /);
  });
  it('stops the first of the chain first, and all of them', async () => {
    const pids = [...(await start()).pids().values()] as number[];
    await chain!.stop();
    expect(events('stop')).to.deep.equal(['aggregator', 'kube-apiserver', 'apiextensions']);
    expect(pids).to.have.lengthOf(4);
    expect(pids.filter(isAlive)).to.deep.equal([]);
  });
  it('runs controllers beside the servers where they are asked for, and ends them first', async () => {
    await start({ controllers: 'lifecycle,-garbagecollector' });
    const kubeconfig = join(dataDir, 'pki/controller-manager.kubeconfig');
    expect(argsOf('controllers')).to.include.members([
      '--controllers=lifecycle,-garbagecollector',
      `--kubeconfig=${kubeconfig}`,
      '--secure-port=0',
      `--root-ca-file=${dataDir}/pki/ca.crt`,
    ]);
    expect(statSync(kubeconfig).mode & 0o777).to.equal(0o600);
    await chain!.stop();
    expect(events('stop')).to.deep.equal(['controllers', 'aggregator', 'kube-apiserver', 'apiextensions']);
  });
  it('runs no controllers beside one server alone, nor for none', async () => {
    await start({ controllers: 'lifecycle', only: 'aggregator' });
    await chain!.stop();
    await start({ controllers: 'none' });
    expect(events('start')).to.not.include('controllers');
  });
  it('restarts what crashed, and tells', async () => {
    const seen: ChainEvent[] = [];
    await start({}, (event) => seen.push(event));
    process.kill(chain!.pids().get('kube-apiserver')!, 'SIGKILL');
    await eventually(() => seen.some((event) => event.kind === 'ready' && event.restarts === 1));
    const ended = seen.find((event) => event.kind === 'ended');
    expect(ended).to.deep.include({ name: 'kube-apiserver', restartInMs: 10 });
    expect(ended).to.have.nested.property('exit.signal', 'SIGKILL');
  });
  it('ends everything when one cannot start, with its line', async () => {
    const error = await start({
      serverFlags: [{ name: 'fail', arguments: ['--fail=--etcd-servers: cannot be reached'] }],
    }).then(
      () => 'started',
      (reason: Error) => reason.message,
    );
    expect(error).to.match(/^(aggregator|kube-apiserver|apiextensions): --etcd-servers: cannot be reached$/);
    // Its locks are free again: the next start succeeds.
    await start();
  });
  it('refuses a data directory that is in use', async () => {
    await start();
    const second = await startChain(
      { dataDir, securePort: 7444, securePortGiven: true, serverFlags: [] },
      { servers: fakeServers(dataDir), nowMs: Date.now() },
    ).then(
      () => 'started',
      (reason: Error) => reason.message,
    );
    expect(second).to.equal(
      `--data-dir: aggregator already runs on '${dataDir}' (pid ${process.pid}); kubechain down ends it`,
    );
    expect([...chain!.pids().values()].every((pid) => isAlive(pid!))).to.equal(true);
  });
  it('runs one alone, beside the others of the same directory', async () => {
    await start({ only: 'apiextensions' });
    expect([...chain!.pids().keys()]).to.deep.equal(['etcd', 'apiextensions']);
    expect(argsOf('apiextensions')).to.include('--secure-port=7443');
    const beside = await startChain(
      { dataDir, securePort: 6443, securePortGiven: false, only: 'kube-apiserver', serverFlags: [] },
      { servers: fakeServers(dataDir), nowMs: Date.now() },
    );
    expect([...beside.pids().keys()]).to.deep.equal(['kube-apiserver']);
    expect(beside.url).to.equal(undefined);
    await beside.stop();
  });
  it('opens inspectors on consecutive ports', async () => {
    const first = await freeConsecutivePorts(3);
    const { inspectors } = await start({ inspectPort: first });
    expect(inspectors).to.deep.equal([
      { name: 'aggregator', port: first },
      { name: 'kube-apiserver', port: first + 1 },
      { name: 'apiextensions', port: first + 2 },
    ]);
    const targets = (await (await fetch(`http://127.0.0.1:${first + 1}/json`)).json()) as { url: string }[];
    expect(targets[0]!.url).to.match(/kube-apiserver\.mjs$/);
  });
  it('leaves no process behind when it is killed itself', async () => {
    const supervisor = spawn(process.execPath, [FAKE_SUPERVISOR, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(supervisor.stdout, 'data')) as [Buffer];
    const pids = JSON.parse(line.toString()) as number[];
    expect(pids.filter(isAlive)).to.have.lengthOf(4);
    supervisor.kill('SIGKILL');
    await eventually(() => pids.every((pid) => !isAlive(pid)));
  });
  it('gives up when it is told to while it starts', async () => {
    const abort = new AbortController();
    const starting = startChain(
      {
        dataDir,
        securePort: 7443,
        securePortGiven: true,
        serverFlags: [{ name: 'never-ready', arguments: ['--never-ready'] }],
      },
      { servers: fakeServers(dataDir), nowMs: Date.now(), signal: abort.signal },
    );
    await eventually(() => events('start').length === 3);
    abort.abort();
    expect(
      await starting.then(
        () => 'started',
        (reason: Error) => reason.message,
      ),
    ).to.equal('stopped before it was ready');
    expect(
      readJournal(journal)
        .map(({ pid }) => pid)
        .filter(isAlive),
    ).to.deep.equal([]);
  });
  it('is there for tests', async () => {
    const env = await startTestEnvironment({ topology: 'processes', servers: fakeServers(dataDir) });
    expect(env.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(env.adminToken).to.have.length.greaterThan(30);
    expect(argsOf('aggregator').some((argument) => argument.startsWith('--token-auth-file='))).to.equal(true);
    await env.stop();
    expect(() => statSync(env.dataDir)).to.throw('ENOENT');
  });
});

/** The first of so many consecutive ports that were free a moment ago. */
async function freeConsecutivePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const servers = Array.from({ length: count }, () => createServer());
    const listening = await Promise.all(
      servers.map((server, i) =>
        once(server.listen(first + i, '127.0.0.1'), 'listening').then(
          () => true,
          () => false,
        ),
      ),
    );
    await Promise.all(
      servers.map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve);
          }),
      ),
    );
    if (listening.every(Boolean)) return first;
  }
}
