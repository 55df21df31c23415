import { assert } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { FaultHistory } from '../testing/fault-history.ts';
import type { RealEtcd } from '../testing/real-etcd.ts';
import { startRealEtcd } from '../testing/real-etcd.ts';
import { createEtcdClient } from './client/etcd3-client.ts';

describe('etcd3 store on an etcd that is killed', () => {
  let etcd: RealEtcd;
  before(async function () {
    this.timeout(30_000);
    etcd = await startRealEtcd();
  });
  after(() => etcd.stop());

  it('loses no acknowledged write and no event', async function () {
    this.timeout(60_000);
    const client = createEtcdClient({ endpoints: [etcd.endpoint], requestTimeoutMs: 1_000 });
    const direct = createEtcdClient({ endpoints: [etcd.endpoint] });
    const history = new FaultHistory(client, direct);
    try {
      await history.run(async () => {
        for (let round = 0; round < 3; round++) {
          await delay(300);
          await etcd.kill();
          await etcd.restart();
        }
        await delay(300);
      });
      await history.check();
      assert.isAbove(history.acknowledged, 50);
      assert.isAbove(history.resumed, 0);
    } finally {
      await client.close();
      await direct.close();
    }
  });
});
