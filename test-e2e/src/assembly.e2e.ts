import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleAggregator, flagSets as aggregatorFlags } from '@kubechain/aggregator/server';
import { assembleAPIExtensions, flagSets as apiextensionsFlags } from '@kubechain/apiextensions/server';
import { serveAssembled } from '@kubechain/apiserver/servers';
import type { AssemblyObserver } from '@kubechain/apiserver/assembly';
import { parseFlags } from '@kubechain/apiserver/options';
import { startAllInOne } from 'kubechain/all-in-one';
import { startEmbeddedEtcd, type EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { assembleKubeAPIServer, flagSets as kubeApiserverFlags } from '@kubechain/kube-apiserver/server';
import { freePort } from '@kubechain/shared-storage/testing';

/** Opened and closed parts by name, in order. */
interface Journal {
  readonly opened: string[];
  readonly closed: string[];
}

describe('servers that cannot be put together', function () {
  this.timeout(120_000);
  let folder: string;
  let store: EmbeddedEtcd;
  let port: number;
  before(async () => {
    port = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'kubechain-assembly-'));
    store = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), socketPath: join(folder, 'etcd.sock') });
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const flags = (name: string): string[] => [
    `--etcd-servers=unix:${join(folder, 'etcd.sock')}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    '--authorization-mode=RBAC',
    `--secure-port=${port}`,
    ...(name === 'aggregator' ? [] : [`--delegate-listen=unix:${join(folder, `${name}.sock`)}`]),
    ...(name === 'apiextensions' ? [] : [`--delegate=unix:${join(folder, 'nobody.sock')}`]),
  ];
  type Run = (observer: AssemblyObserver, signal: AbortSignal, ready: () => void) => Promise<void>;
  const handle = (signal: AbortSignal, ready: () => void): Parameters<typeof serveAssembled>[2]['handle'] => ({
    signal,
    ready,
    clock: systemClock,
    randomness: systemRandomness,
    flags: new Map(),
  });
  const servers: Record<string, Run> = {
    aggregator: (observer, signal, ready) =>
      serveAssembled(assembleAggregator, parseFlags(flags('aggregator'), aggregatorFlags).values, {
        handle: handle(signal, ready),
        observer,
      }),
    'kube-apiserver': (observer, signal, ready) =>
      serveAssembled(assembleKubeAPIServer, parseFlags(flags('kube-apiserver'), kubeApiserverFlags).values, {
        handle: handle(signal, ready),
        observer,
      }),
    apiextensions: (observer, signal, ready) =>
      serveAssembled(assembleAPIExtensions, parseFlags(flags('apiextensions'), apiextensionsFlags).values, {
        handle: handle(signal, ready),
        observer,
      }),
  };

  /** Runs a server until it is ready, or until the part `failing` is to be opened. */
  async function run(server: Run, failing?: number): Promise<Journal & { readonly error: unknown }> {
    const opened: string[] = [];
    const closed: string[] = [];
    const stop = new AbortController();
    const observer: AssemblyObserver = {
      opening: (name) => {
        if (opened.length === failing) throw new RangeError(`${name} does not open`);
        opened.push(name);
      },
      closing: (name) => void closed.push(name),
    };
    const error = await server(observer, stop.signal, () => {
      stop.abort();
    }).catch((thrown: unknown) => thrown);
    return { opened, closed, error };
  }

  servers['all in one process'] = async (observer, _signal, ready) => {
    const cluster = await startAllInOne({}, observer);
    ready();
    await cluster.close();
    await cluster.ended;
  };

  /** What keeps a process alive, beside what this test itself has open. */
  const resources = (): string[] => process.getActiveResourcesInfo().sort();

  for (const [name, server] of Object.entries(servers)) {
    it(`${name} closes what it has opened, whichever part fails to open`, async () => {
      const whole = await run(server);
      expect(whole.error).to.equal(undefined);
      expect(whole.opened.length).to.be.greaterThan(8);
      expect(whole.closed).to.deep.equal(whole.opened.toReversed());
      for (let failing = 0; failing < whole.opened.length; failing++) {
        const { closed, error, opened } = await run(server, failing);
        expect(String(error)).to.equal(`RangeError: ${whole.opened[failing]} does not open`);
        // What is opened side by side with the failing part may have been opened after it.
        expect(opened.slice(0, failing)).to.deep.equal(whole.opened.slice(0, failing));
        expect(closed).to.deep.equal(opened.toReversed());
      }
    });

    it(`${name} leaves no handle behind`, async () => {
      await run(server);
      const before = resources();
      await run(server);
      await run(server, 5);
      await waitFor(() => resources().length <= before.length);
    });
  }
});

/** Sockets that were destroyed take a turn or two to go. */
async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries === 600) throw new Error(`still open: ${process.getActiveResourcesInfo().sort().join(', ')}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
