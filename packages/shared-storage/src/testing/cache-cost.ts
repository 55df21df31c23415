import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Cacher } from '../cacher/cacher.ts';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { CallRecorder } from './call-recorder.ts';
import { pod, podCodec } from './contract/pods.ts';
import { WatchRecorder } from './contract/watch-recorder.ts';

const objects = 20;
const readers = 64;
const readsEach = 20;
const groupResource = { group: '', resource: 'pods' };

/**
 * Declares, as mocha tests, what a cache may cost an etcd that can be asked for progress: consistent reads of many
 * share their calls, and an idle cache costs only the progress notifications that keep its bookmarks new.
 *
 * @param endpoint of the etcd, known once the suite's `before` hooks have run
 */
export function cacheCostContract(name: string, endpoint: () => string): void {
  describe(`what a cache costs ${name}`, () => {
    let calls: CallRecorder;
    let keyRoot = '';
    const newCacher = (clock?: FakeClock): Cacher =>
      new Cacher({
        storage: new Etcd3Store({ client: calls, codec: podCodec, groupResource, keyRoot }),
        keyRoot,
        random: () => 0.5,
        config: { groupResource, resourcePrefix: '/pods', codec: podCodec, namespaced: true },
        ...(clock === undefined ? {} : { clock }),
      });
    const key = (i: number): string => `${keyRoot}/ns/p${i % objects}`;

    before(async () => {
      calls = new CallRecorder(createEtcdClient({ endpoints: [endpoint()] }));
      keyRoot = `/registry/cost-${process.pid}-${Date.now()}/pods`;
      for (let i = 0; i < objects; i++)
        await calls.put({ key: key(i), value: Buffer.from(podCodec.encode(pod(`p${i}`))) });
    });
    after(() => calls.close());

    describe('when it is read', () => {
      let cacher: Cacher;
      before(async () => {
        cacher = newCacher();
        expect(await cacher.waitReady(5_000)).to.equal(true);
        expect(await cacher.supportsWatchProgress(), 'this etcd cannot be asked for progress').to.equal(true);
      });
      after(() => cacher.close());

      const meanwhile: readonly (readonly [string, ((i: number) => Promise<unknown>) | undefined])[] = [
        ['while nothing changes', undefined],
        [
          'while the resource changes',
          (i) => cacher.guaranteedUpdate(key(0), () => ({ object: pod('p0', { labels: { i: String(i) } }) })),
        ],
        [
          'while something else changes',
          (i) => calls.put({ key: `${keyRoot}-elsewhere`, value: Buffer.from(String(i)) }),
        ],
      ];
      for (const [when, write] of meanwhile) {
        it(`is at most 0.2 calls a consistent read with ${readers} readers, ${when}`, async function test() {
          this.timeout(120_000);
          const reader = async (i: number): Promise<void> => {
            for (let j = 0; j < readsEach; j++) {
              if (j % 5 === 0) expect((await cacher.getList(`${keyRoot}/`)).items).to.have.lengthOf(objects);
              else await cacher.get(key(i + j));
            }
          };
          let writes = 0;
          let reading = true;
          calls.reset();
          const writer = (async () => {
            while (write !== undefined && reading) await write(writes++);
          })();
          await Promise.all(Array.from({ length: readers }, (_, i) => reader(i)));
          reading = false;
          await writer;
          expect(calls.count('range', 'requestProgress') / (readers * readsEach)).to.be.at.most(0.2);
        });
      }

      it('is nothing for any state, and one revision read for a lone consistent one', async () => {
        calls.reset();
        await cacher.get(key(1), { resourceVersion: '0' });
        await cacher.getList(`${keyRoot}/`, { resourceVersion: '0' });
        expect(calls.count()).to.equal(0);
        await cacher.get(key(1));
        expect(calls.count('range')).to.equal(1);
      });
    });

    it('is only progress notifications while it is idle, watched or not', async () => {
      const clock = new FakeClock();
      const cacher = newCacher(clock);
      try {
        expect(await cacher.waitReady(5_000)).to.equal(true);
        await cacher.get(key(0));
        calls.reset();
        await clock.advance(3_600_000);
        expect(calls.count(), 'nobody watches').to.equal(0);
        const watchers = Array.from({ length: 100 }, () => new WatchRecorder());
        for (const watcher of watchers)
          await cacher.watch(`${keyRoot}/`, { resourceVersion: '0', allowWatchBookmarks: true }, watcher);
        for (let minute = 1; minute <= 5; minute++) {
          await calls.put({ key: `${keyRoot}-elsewhere`, value: Buffer.from(String(minute)) });
          await clock.advance(60_000);
          // The answers come in real time.
          await delay(20);
        }
        const own = calls.calls.map(({ method }) => method).filter((method) => method !== 'put');
        expect([...new Set(own)]).to.deep.equal(['requestProgress']);
        expect(own.length, 'one a minute, however many watch').to.be.at.most(6);
        expect(
          watchers.every(({ events }) => events.length > objects),
          'all get bookmarks',
        ).to.equal(true);
      } finally {
        await cacher.close();
      }
    });
  });
}
