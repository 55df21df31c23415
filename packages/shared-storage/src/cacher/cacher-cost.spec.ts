import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEtcdClient } from '../etcd3/client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { CallRecorder } from '../testing/index.ts';
import { Cacher } from './cacher.ts';
import { KEY_ROOT, pod, podCodec, podConfig, podKey } from './testing/pods.ts';

describe('Cacher: what reads cost etcd', () => {
  let directory = '';
  let etcd: EmbeddedEtcd;
  let calls: CallRecorder;
  let cacher: Cacher;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubechain-cost-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(directory, 'store.db'), unsafeNoFsync: true });
    calls = new CallRecorder(createEtcdClient({ endpoints: [etcd.endpoint] }));
    const store = new Etcd3Store({ client: calls, codec: podCodec, groupResource: podConfig.groupResource, keyRoot: KEY_ROOT });
    cacher = new Cacher({ storage: store, config: podConfig, keyRoot: KEY_ROOT });
    for (let i = 0; i < 20; i++) await cacher.create(podKey('a', `p${i}`), pod('a', `p${i}`));
    expect(await cacher.waitReady(5000)).to.equal(true);
  });

  after(async () => {
    await cacher.close();
    await calls.close();
    await etcd.close();
    await rm(directory, { recursive: true, force: true });
  });

  for (const [name, write] of [
    ['while nothing changes', undefined],
    ['while the resource changes', async (i: number) => cacher.guaranteedUpdate(podKey('a', 'p0'), () => ({ object: pod('a', 'p0', { data: String(i) }) }))],
    ['while something else changes', async (i: number) => calls.put({ key: '/registry/elsewhere', value: Buffer.from(String(i)) })],
  ] as const) {
    it(`is at most 0.2 calls a consistent read with 64 readers, ${name}`, async () => {
      const reader = async (i: number): Promise<void> => {
        for (let j = 0; j < 20; j++) {
          if (j % 5 === 0) expect((await cacher.getList(`${KEY_ROOT}/`)).items.length).to.equal(20);
          else await cacher.get(podKey('a', `p${(i + j) % 20}`));
        }
      };
      let writes = 0;
      let reading = true;
      calls.reset();
      const writer = (async () => { while (write !== undefined && reading) await write(writes++); })();
      await Promise.all(Array.from({ length: 64 }, (_, i) => reader(i)));
      reading = false;
      await writer;
      const reads = 64 * 20;
      expect(calls.count('range', 'requestProgress') / reads).to.be.at.most(0.2);
    });
  }

  it('is nothing for any state, and one revision read for a lone consistent one', async () => {
    calls.reset();
    await cacher.get(podKey('a', 'p1'), { resourceVersion: '0' });
    await cacher.getList(`${KEY_ROOT}/`, { resourceVersion: '0' });
    expect(calls.count()).to.equal(0);
    await cacher.get(podKey('a', 'p1'));
    expect(calls.count('range')).to.equal(1);
  });
});
