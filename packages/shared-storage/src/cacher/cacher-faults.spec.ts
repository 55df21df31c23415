import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createEtcdClient } from '../etcd3/client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { isStorageError } from '../storage/errors.ts';
import { FaultProxy } from '../testing/index.ts';
import { Cacher } from './cacher.ts';
import { KEY_ROOT, pod, podCodec, podConfig, podKey, select } from './testing/pods.ts';
import { Replica } from './testing/replica.ts';

const ALL = `${KEY_ROOT}/`;

/** Errors that a client expects while the store cannot be reached, and tries again after. */
const passing = (error: unknown): boolean => ['Unreachable', 'Timeout', 'NotReady', 'Aborted', 'TooLargeResourceVersion'].some((code) => isStorageError(error) && error.code === code);

/** Repeats an attempt until it does not fail in passing. */
async function eventually(attempt: () => Promise<void>): Promise<void> {
  for (const endMs = Date.now() + 15_000; ;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!passing(error) || Date.now() > endMs) throw error;
      await delay(20);
    }
  }
}

describe('Cacher under faults of the connection to etcd', () => {
  let directory = '';
  let etcd: EmbeddedEtcd;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubechain-faults-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(directory, 'store.db'), unsafeNoFsync: true });
  });
  afterEach(async () => {
    await etcd.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('loses, repeats and reorders nothing, and reads never go back in time', async function test() {
    this.timeout(60_000);
    const proxy = await FaultProxy.start(etcd.endpoint);
    const proxied = createEtcdClient({ endpoints: [proxy.endpoint] });
    const direct = createEtcdClient({ endpoints: [etcd.endpoint] });
    const newStore = (client: typeof direct): Etcd3Store => new Etcd3Store({ client, codec: podCodec, groupResource: podConfig.groupResource, keyRoot: KEY_ROOT });
    const truth = newStore(direct);
    const cacher = new Cacher({ storage: newStore(proxied), config: podConfig, keyRoot: KEY_ROOT });
    const replicas = [select({}), select({ app: 'web' }), select({}, { 'spec.nodeName': 'n1' })].map((selection) => ({ selection, replica: new Replica(cacher, ALL, selection) }));
    let running = true;
    const writer = async (): Promise<void> => {
      for (let i = 0; running; i++) {
        const key = podKey('a', `p${i % 17}`);
        if (i % 5 === 4) await truth.delete(key).catch(() => undefined);
        else await truth.guaranteedUpdate(key, () => ({ object: pod('a', `p${i % 17}`, { labels: { app: i % 3 === 0 ? 'web' : 'db' }, nodeName: `n${i % 2}`, data: String(i) }) }), { ignoreNotFound: true });
        if (i % 400 === 399) await direct.compact(await truth.currentRevision());
        await delay(i % 7 === 0 ? 1 : 0);
      }
    };
    let reads = 0;
    const reader = async (): Promise<void> => {
      let last = 0;
      while (running) {
        try {
          const before = await truth.currentRevision();
          const list = await cacher.getList(ALL);
          expect(Number(list.resourceVersion), 'as fresh as the store when asked').to.be.at.least(before);
          expect(Number(list.resourceVersion), 'back in time').to.be.at.least(last);
          last = Number(list.resourceVersion);
          reads++;
        } catch (error) {
          if (!passing(error)) throw error;
        }
        await delay(5);
      }
    };
    const clients = async (): Promise<void> => {
      while (running) {
        for (const { replica } of replicas) await replica.sync().catch((error: unknown) => { if (!passing(error)) throw error; });
        await delay(5);
      }
    };
    const faults = async (): Promise<void> => {
      for (let round = 0; round < 8; round++) {
        await delay(150);
        switch (round % 4) {
          case 0: proxy.cut(); break;
          case 1: proxy.setFault({ kind: 'stall' }); await delay(200); proxy.setFault({ kind: 'none' }); break;
          case 2: proxy.setFault({ kind: 'slow', delayMs: 30 }); await delay(200); proxy.setFault({ kind: 'none' }); break;
          default: proxy.setFault({ kind: 'refuse' }); proxy.cut(); await delay(300); proxy.setFault({ kind: 'none' });
        }
      }
      await delay(300);
      running = false;
    };
    await Promise.all([writer(), reader(), clients(), faults()]);
    await eventually(async () => {
      for (const { selection, replica } of replicas) {
        await replica.sync();
        const stored = (await truth.getList(ALL, { predicate: selection })).items.map(({ key, revision }): [string, number] => [key, revision]);
        for (const endMs = Date.now() + 5000; JSON.stringify(replica.content) !== JSON.stringify(stored) && Date.now() < endMs;) {
          await replica.sync();
          await delay(10);
        }
        expect(replica.content).to.deep.equal(stored);
      }
      expect((await cacher.checkConsistency()).kind).to.equal('consistent');
    });
    expect(reads).to.be.greaterThan(10);
    expect(replicas[0]!.replica.events).to.be.greaterThan(100);
    await cacher.close();
    await proxied.close();
    await proxy.close();
    await truth.close();
    await direct.close();
  });
});
