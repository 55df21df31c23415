import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { Etcd3Store } from '@kubechain/shared-storage/factory';
import { FaultHistory, StorageFaultClient, podCodec, seededRandom } from '@kubechain/shared-storage/testing';
import type { FaultClient } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { pidOf } from '../harness/process-of.ts';
import { HttpFaultClient } from './http-fault-client.ts';

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'notes.faults.example.com' },
  spec: {
    group: 'faults.example.com',
    scope: 'Namespaced',
    names: { plural: 'notes', singular: 'note', kind: 'Note' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

/** Where objects that each server stores are served, and where they are kept. */
const resources = [
  { name: 'configmaps', base: '/api/v1', apiVersion: 'v1', kind: 'ConfigMap', keyRoot: '/registry/configmaps' },
  {
    name: 'notes',
    base: '/apis/faults.example.com/v1',
    apiVersion: 'faults.example.com/v1',
    kind: 'Note',
    keyRoot: '/registry/faults.example.com/notes',
  },
] as const;
const servers = ['aggregator', 'kube-apiserver', 'apiextensions'] as const;

/** The store that the chain runs on. */
export interface ChainStore {
  /** Endpoint for a client around the chain. */
  readonly endpoint: string;
  /** Kills it; resolves when it is dead, or restarted if the chain does not do that itself. */
  kill(pause: () => Promise<void>): Promise<void>;
}

export interface ChainRoundOptions {
  readonly dataDir: string;
  readonly flags?: readonly string[];
  readonly store: ChainStore;
  readonly seed: number;
}

let rounds = 0;

/**
 * One round: clients write, read and watch a built-in and a custom resource over HTTP while the store and each of the
 * three servers are killed with SIGKILL, one after another or while another has not come back yet, as the seed says.
 */
export async function chainFaultRound({ dataDir, flags = [], store, seed }: ChainRoundOptions): Promise<void> {
  const random = seededRandom(seed);
  const namespace = `round-${process.pid}-${++rounds}`;
  const chain = await startChain({ dataDir, flags });
  const open = (): Client => Client.fromKubeconfig(chain.kubeconfig);
  const admin = open();
  const etcd = createEtcdClient({ endpoints: [store.endpoint] });
  const clients: FaultClient[] = [];
  try {
    expect((await admin.post('/api/v1/namespaces', { metadata: { name: namespace } })).status).to.equal(201);
    expect((await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd)).status).to.be.oneOf([
      201, 409,
    ]);
    await admin.until(`/apis/faults.example.com/v1/namespaces/${namespace}/notes`, ({ status }) => status === 200);

    const histories = await Promise.all(
      resources.map(async ({ name, base, apiVersion, kind, keyRoot }) => {
        const resource = { path: `${base}/namespaces/${namespace}/${name}`, apiVersion, kind };
        const direct = new Etcd3Store({
          client: etcd,
          codec: podCodec,
          groupResource: { group: '', resource: name },
          keyRoot,
        });
        const below = new StorageFaultClient(`stored ${name}`, direct, {
          prefix: `${keyRoot}/${namespace}/`,
          close: () => direct.close(),
        });
        const through = [1, 2].map((i) => new HttpFaultClient(`${name}-${i}`, open(), resource));
        clients.push(below, ...through);
        // What is stored is the truth; only a server knows how to write it.
        const truth: FaultClient = {
          name: below.name,
          watch: (options, sink) => below.watch(options, sink),
          put: (...put) => through[0]!.put(...put),
          delete: (key) => through[0]!.delete(key),
          get: (key) => below.get(key),
          list: (how) => below.list(how),
          close: () => below.close(),
        };
        return new FaultHistory({
          direct: truth,
          clients: through,
          random,
          from: await direct.currentRevision(),
          pauseMs: 5,
        });
      }),
    );
    const progress = async (writes: number): Promise<void> => {
      await Promise.all(histories.map((history) => history.progress(writes)));
    };
    const killing = async (): Promise<void> => {
      await progress(3);
      const victims: ('store' | (typeof servers)[number])[] = ['store', ...servers];
      while (victims.length > 0) {
        const [victim] = victims.splice(random(victims.length), 1);
        if (victim === 'store') await store.kill(() => delay(random(200)));
        else process.kill(await pidOnceRunning(dataDir, victim!), 'SIGKILL');
        if (random(2) === 0) await progress(2);
        else await delay(random(400));
      }
    };
    await histories.reduceRight<() => Promise<void>>((faults, history) => () => history.run(faults), killing)();
    expect((await admin.get('/readyz')).status).to.equal(200);
    for (const history of histories) {
      for (const load of history.loads)
        for (const { resumed, name } of load.followers) expect(resumed, `${name} was cut off`).to.be.greaterThan(0);
    }
  } catch (error) {
    if (error instanceof Error) error.message += `\n${chain.output()}`;
    throw error;
  } finally {
    for (const client of clients) await client.close();
    await etcd.close();
    admin.close();
    await chain.stop();
  }
}

/** A process that was killed a moment ago has no process id until it has been started again. */
export async function pidOnceRunning(dataDir: string, name: Parameters<typeof pidOf>[1]): Promise<number> {
  for (const deadline = Date.now() + 60_000; ;) {
    try {
      const pid = pidOf(dataDir, name);
      if (pid > 0) return pid;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await delay(10);
  }
}
