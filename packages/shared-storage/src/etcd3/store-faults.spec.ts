import { assert } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { FaultProxy } from '../testing/fault-proxy.ts';
import { FaultHistory } from '../testing/fault-history.ts';
import { createEtcdClient } from './client/etcd3-client.ts';

describe('etcd3 store under faults', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  let proxy: FaultProxy;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-faults-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
  });
  after(async () => {
    await etcd.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => { proxy = await FaultProxy.start(etcd.endpoint); });
  afterEach(() => proxy.close());

  const faults: readonly { readonly name: string; readonly apply: () => Promise<void> }[] = [
    { name: 'cut connections', apply: () => { proxy.cut(); return Promise.resolve(); } },
    {
      name: 'refused connections',
      apply: async () => {
        proxy.setFault({ kind: 'refuse' });
        proxy.cut();
        await delay(50);
        proxy.setFault({ kind: 'none' });
      },
    },
    {
      name: 'a stalled etcd',
      apply: async () => {
        proxy.setFault({ kind: 'stall' });
        await delay(600);
        proxy.setFault({ kind: 'none' });
      },
    },
    {
      name: 'a slow etcd',
      apply: async () => {
        proxy.setFault({ kind: 'slow', delayMs: 30 });
        await delay(200);
        proxy.setFault({ kind: 'none' });
      },
    },
  ];

  for (const { name, apply } of faults) {
    it(`loses no acknowledged write and no event with ${name}`, async function () {
      this.timeout(60_000);
      const client = createEtcdClient({ endpoints: [proxy.endpoint], requestTimeoutMs: 400, keepaliveIntervalMs: 150, keepaliveTimeoutMs: 150 });
      const direct = createEtcdClient({ endpoints: [etcd.endpoint] });
      const history = new FaultHistory(client, direct);
      try {
        await history.run(async () => {
          for (let round = 0; round < 5; round++) {
            await history.progress(6);
            await apply();
          }
          await history.progress(6);
        });
        await history.check();
        assert.isAbove(history.acknowledged, 20);
        if (name !== 'a slow etcd') assert.isAbove(history.resumed, 0, 'the fault has hit the watches');
      } finally {
        await client.close();
        await direct.close();
      }
    });
  }
});
