import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { Etcd3Store } from '@kubechain/shared-storage/factory';
import {
  FaultHistory,
  podCodec,
  seededRandom,
  StorageFaultClient,
  type FaultClient,
} from '@kubechain/shared-storage/testing';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpFaultClient } from '../faults/http-fault-client.ts';
import { Client } from '../harness/client.ts';
import type { ChartRelease } from './chart-release.ts';

const KEY_ROOT = '/registry/configmaps';
/** Nodes run much else on few processors. */
const PAUSE_MS = 100;
const SEED = 15;
let runs = 0;

/** etcd where it is not the release's own. */
export interface RecordedStore {
  readonly address: string;
  readonly port: number;
}

/** What the recorder offers to who makes trouble: waits for so many more writes, and until watches know of them. */
export type Progress = (writes: number) => Promise<void>;

/** A watch that missed that its connection was gone stood still for a minute. */
const STANDSTILL_MS = 45_000;

/**
 * Has two clients write, read and watch through a release's Service while `trouble` goes on, and a watch of the store
 * itself tell what happened; then proves that no confirmed write is lost or happened twice, that no watch has missed or
 * repeated an event, and that no read went back in time. Resolves to how many changes there were.
 */
export async function recorded(
  release: ChartRelease,
  trouble: (progress: Progress) => Promise<void>,
  external?: RecordedStore,
): Promise<number> {
  const namespace = `recorded-${++runs}`;
  const { url, token } = await release.access();
  const open = (): Client => new Client(url, { kind: 'token', token });
  const store = external ?? { address: await release.serviceAddress('etcd'), port: 2379 };
  const pki = external === undefined ? await release.secret('etcd-client') : {};
  const authority = external === undefined ? await release.secret('etcd-ca') : {};
  const etcd = createEtcdClient({
    // A name that its certificate has.
    endpoints: [`${external === undefined ? 'https' : 'http'}://localhost:${store.port}`],
    ...(external === undefined
      ? { tls: { ca: authority['tls.crt'] ?? '', cert: pki['tls.crt'] ?? '', key: pki['tls.key'] ?? '' } }
      : {}),
    openSocket: (_, port) => connect(port, store.address),
  });
  const direct = new Etcd3Store({
    client: etcd,
    codec: podCodec,
    groupResource: { group: '', resource: 'configmaps' },
    keyRoot: KEY_ROOT,
  });
  const below = new StorageFaultClient('stored config maps', direct, {
    prefix: `${KEY_ROOT}/${namespace}/`,
    close: () => direct.close(),
  });
  const resource = {
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    apiVersion: 'v1',
    kind: 'ConfigMap',
    severalServers: true,
  };
  const through = [1, 2].map((index) => new HttpFaultClient(`client-${index}`, open(), resource));
  const [first] = through;
  const clients: FaultClient[] = [below, ...through];
  const setup = open();
  try {
    await setup.until('/readyz', ({ status }) => status === 200);
    const { status, text } = await setup.post('/api/v1/namespaces', { metadata: { name: namespace } });
    if (status !== 201) throw new Error(`namespace ${namespace}: ${status} ${text}`);
    const history = new FaultHistory({
      direct: {
        name: below.name,
        watch: (options, sink) => below.watch(options, sink),
        // What is stored is the truth; only a server knows how to write it.
        put: (...put) => first!.put(...put),
        delete: (name) => first!.delete(name),
        get: (name) => below.get(name),
        list: (how) => below.list(how),
        close: () => below.close(),
      },
      clients: through,
      random: seededRandom(SEED),
      from: await direct.currentRevision(),
      pauseMs: PAUSE_MS,
    });
    const progress: Progress = async (writes) => {
      await history.progress(writes);
      const written = Math.max(
        ...history.log.attempts.map(({ outcome }) => (outcome.kind === 'acknowledged' && outcome.revision) || 0),
      );
      // The other watch of each client is told of some writes only.
      for (const watcher of history.loads.map(({ followers }) => followers[0]!))
        for (const endsMs = performance.now() + STANDSTILL_MS; watcher.revision < written; await delay(50))
          if (performance.now() > endsMs) throw new Error(`${watcher.name} stands still at ${watcher.revision}`);
    };
    await history.run(async () => {
      await progress(3);
      await trouble(progress);
      await progress(3);
    });
    return history.truth.changes.length;
  } finally {
    for (const client of clients) await client.close();
    setup.close();
    await etcd.close();
  }
}
