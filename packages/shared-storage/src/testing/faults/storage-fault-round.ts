import { append } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Cacher } from '../../cacher/cacher.ts';
import { createEtcdClient } from '../../etcd-client/etcd3-client.ts';
import { Etcd3Store } from '../../etcd3/store.ts';
import { podCodec } from '../contract/pods.ts';
import { seededRandom } from '../seeded-random.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { FaultHistory } from './fault-history.ts';
import { FaultProxy } from './fault-proxy.ts';
import type { Fault } from './fault-proxy.ts';
import { StorageFaultClient } from './storage-client.ts';

/** The store behind the faults. */
export interface FaultTarget {
  readonly endpoint: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

const groupResource = { group: '', resource: 'pods' };
/** A stalled connection is given up after both. */
const KEEPALIVE_MS = 100;
let keyRoots = 0;

/**
 * One round: a plain store and two caches, each over a connection of its own, while their connections are cut, refused,
 * stalled, muted, slowed, delayed behind each other and overtaken by compaction, and the etcd is killed; all of these
 * once, in an order and for times that the seed says.
 */
export async function storageFaultRound(target: FaultTarget, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const keyRoot = `/registry/faults-${process.pid}-${Date.now()}-${++keyRoots}/pods`;
  const proxy = await FaultProxy.start(target.endpoint);
  const prefix = `${keyRoot}/ns/`;
  const direct = createEtcdClient({ endpoints: [target.endpoint] });
  const directStore = new Etcd3Store({ client: direct, codec: podCodec, groupResource, keyRoot });
  const open = (name: string, cached: boolean): StorageFaultClient => {
    const client = createEtcdClient({
      endpoints: [proxy.endpoint],
      requestTimeoutMs: 500,
      connectTimeoutMs: 500,
      keepaliveIntervalMs: KEEPALIVE_MS,
      keepaliveTimeoutMs: KEEPALIVE_MS,
    });
    const store = new Etcd3Store({ client, codec: podCodec, groupResource, keyRoot });
    if (!cached)
      return new StorageFaultClient(name, store, {
        prefix,
        close: async () => {
          await store.close();
          await client.close();
        },
      });
    const cacher = new Cacher({
      storage: store,
      config: { groupResource, resourcePrefix: '/pods', codec: podCodec, namespaced: true },
      keyRoot,
    });
    return new StorageFaultClient(name, cacher, {
      prefix,
      verify: async () => {
        expect(await cacher.checkConsistency(), `${name} differs from its store`).to.deep.include({
          kind: 'consistent',
        });
      },
      close: async () => {
        await cacher.close();
        await client.close();
      },
    });
  };
  const clients = [open('store', false), open('cache', true), open('other-cache', true)];
  const truth = new StorageFaultClient('truth', directStore, {
    prefix,
    close: async () => {
      await directStore.close();
      await direct.close();
    },
  });
  try {
    const history = new FaultHistory({ direct: truth, clients, random, from: await directStore.currentRevision() });
    await history.run(async () => {
      await history.progress(3);
      for (const fault of shuffled(
        random,
        storageFaults({ target, proxy, history, random, compact: (revision) => direct.compact(revision) }),
      )) {
        await fault();
        await history.progress(2);
      }
    });
    // The truth was watched; it must also be what is stored.
    const last = history.truth.changes.at(-1)!.revision;
    const stored = await directStore.getList(prefix);
    expect(Math.max(...stored.items.map(({ revision }) => revision)), 'stored, but never watched').to.be.at.most(last);
    expect(history.loads[0]!.followers[0]!.resumed, 'the faults have hit the watches').to.be.above(0);
  } finally {
    proxy.setFault({ kind: 'none' });
    for (const client of [...clients, truth]) await client.close();
    await proxy.close();
  }
}

interface FaultContext {
  readonly target: FaultTarget;
  readonly proxy: FaultProxy;
  readonly history: FaultHistory;
  readonly random: SeededRandom;
  readonly compact: (revision: number) => Promise<void>;
}

/** Everything that can go wrong between a storage and its etcd, each ready to happen once. */
function storageFaults({ target, proxy, history, random, compact }: FaultContext): (() => Promise<void>)[] {
  const during = async (fault: Fault, run: () => Promise<unknown>): Promise<void> => {
    proxy.setFault(fault);
    await run();
    proxy.setFault({ kind: 'none' });
  };
  const cut = (): Promise<void> => {
    proxy.cut();
    return Promise.resolve();
  };
  const some = (): ((connection: number) => boolean) => {
    const chosen = random(3);
    return (connection) => connection % 3 === chosen;
  };
  return [
    cut,
    () =>
      during({ kind: 'refuse' }, async () => {
        proxy.cut();
        await delay(random(100));
      }),
    // Shorter than what a client waits for: everything goes on where it was.
    () => during({ kind: 'stall' }, () => delay(random(KEEPALIVE_MS))),
    // Longer: clients give up, and what they had sent may still arrive.
    () => during({ kind: 'stall' }, () => delay(3 * KEEPALIVE_MS + random(100))),
    () =>
      during({ kind: 'mute' }, async () => {
        await delay(20 + random(60));
        proxy.cut();
      }),
    () => during({ kind: 'slow', delayMs: 5 + random(25) }, () => delay(150)),
    () => during({ kind: 'slow', delayMs: 20 + random(80), only: some() }, () => delay(200)),
    () =>
      during({ kind: 'stall', only: some() }, async () => {
        const before = history.log.acknowledged;
        for (const deadline = Date.now() + 5_000; history.log.acknowledged < before + 6 && Date.now() < deadline;)
          await delay(5);
        await compact(history.truth.revision);
        if (random(2) === 0) await cut();
        else await delay(2 * KEEPALIVE_MS);
      }),
    async () => {
      await target.kill();
      await delay(random(100));
      await target.restart();
    },
  ];
}

function shuffled<T>(random: SeededRandom, items: readonly T[]): T[] {
  const rest = [...items];
  const result: T[] = [];
  while (rest.length > 0) append(result, rest.splice(random(rest.length), 1));
  return result;
}
