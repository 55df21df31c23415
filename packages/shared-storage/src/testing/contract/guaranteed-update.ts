import { assert } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord } from '../../storage/interfaces.ts';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';
import { jsonOf, pod } from './pods.ts';
import { rejection } from './rejection.ts';

/** What a test's update throws; must arrive as it is. */
class UpdateRefused extends Error {}

function counterOf(object: KubeObject | undefined): number {
  return Number(object?.metadata?.labels?.['counter'] ?? 0);
}

/** guaranteedUpdate. */
export function guaranteedUpdateContract(newStorage: NewStorage): void {
  describe('guaranteedUpdate', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    const increment = (key: string, cached?: ObjectRecord): Promise<ObjectRecord> =>
      c.storage.guaranteedUpdate(
        key,
        ({ object }) => ({ object: pod('a', { labels: { counter: String(counterOf(object) + 1) } }) }),
        cached === undefined ? {} : { cached },
      );

    it('hands over a private copy with its resourceVersion and stores what comes back', async () => {
      const created = await c.create('a', { labels: { app: 'x' } });
      const updated = await c.storage.guaranteedUpdate(c.key('a'), ({ object, record }) => {
        assert.equal(object?.metadata?.resourceVersion, String(created.revision));
        assert.equal(record?.revision, created.revision);
        const labels = object?.metadata?.labels;
        if (object === undefined || labels === undefined) return assert.fail('the object is missing');
        labels['app'] = 'y';
        return { object };
      });
      assert.isAbove(updated.revision, created.revision);
      assert.equal(jsonOf(updated).metadata?.resourceVersion, String(updated.revision));
      assert.deepEqual(updated.attributes.labels, { app: 'y' });
      assert.deepEqual(created.attributes.labels, { app: 'x' });
      assert.deepEqual((await c.storage.get(c.key('a')))?.json, updated.json);
    });

    it('takes an asynchronous update', async () => {
      await c.create('a');
      const updated = await c.storage.guaranteedUpdate(c.key('a'), async ({ object }) => {
        await delay(1);
        return { object: { ...object, metadata: { ...object?.metadata, labels: { late: 'yes' } } } };
      });
      assert.deepEqual(updated.attributes.labels, { late: 'yes' });
    });

    it('rejects a missing key, or creates it', async () => {
      await rejection(increment(c.key('a')), 'KeyNotFound');
      const created = await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object, record }) => {
          assert.isUndefined(object);
          assert.isUndefined(record);
          return { object: pod('a') };
        },
        { ignoreNotFound: true },
      );
      assert.equal((await c.storage.get(c.key('a')))?.revision, created.revision);
    });

    it('writes nothing when nothing changes', async () => {
      const created = await c.create('a');
      const { events, watch } = await c.watch({ resourceVersion: String(created.revision) });
      const same = await c.storage.guaranteedUpdate(c.key('a'), ({ object }) => ({ object: object ?? assert.fail() }));
      assert.equal(same.revision, created.revision);
      assert.deepEqual(same.json, created.json);
      const cached = await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object }) => ({ object: object ?? assert.fail() }),
        { cached: created },
      );
      assert.equal(cached.revision, created.revision);
      const next = await increment(c.key('a'));
      assert.deepEqual(await events.changes(1), ['MODIFIED a']);
      watch.stop();
      const { kvs } = await c.client.range({ key: c.key('a') });
      assert.equal(kvs[0]?.version, 2, 'written twice only');
      assert.isAbove(next.revision, created.revision);
    });

    it('loses no concurrent update', async () => {
      await c.create('a');
      await Promise.all(Array.from({ length: 20 }, () => increment(c.key('a'))));
      const record = await c.storage.get(c.key('a'));
      assert.equal(counterOf(record?.object()), 20);
    });

    it('loses no concurrent update with stale cached records', async () => {
      const stale = await c.create('a');
      await Promise.all(Array.from({ length: 10 }, () => increment(c.key('a'), stale)));
      assert.equal(counterOf((await c.storage.get(c.key('a')))?.object()), 10);
    });

    it('retries on the new state when somebody is faster', async () => {
      await c.create('a');
      const seen: number[] = [];
      await c.storage.guaranteedUpdate(c.key('a'), async ({ object }) => {
        seen.push(counterOf(object));
        if (seen.length === 1) await increment(c.key('a'));
        return { object: pod('a', { labels: { counter: String(counterOf(object) + 10) } }) };
      });
      assert.deepEqual(seen, [0, 1]);
      assert.equal(counterOf((await c.storage.get(c.key('a')))?.object()), 11);
    });

    it('notices a deletion in between', async () => {
      await c.create('a');
      let first = true;
      await rejection(
        c.storage.guaranteedUpdate(c.key('a'), async () => {
          if (first) await c.storage.delete(c.key('a'));
          first = false;
          return { object: pod('a', { labels: { app: 'z' } }) };
        }),
        'KeyNotFound',
      );
    });

    it('passes on what the update throws, and writes nothing', async () => {
      const created = await c.create('a');
      let thrown: unknown;
      await c.storage
        .guaranteedUpdate(c.key('a'), () => {
          throw new UpdateRefused('no');
        })
        .catch((error: unknown) => {
          thrown = error;
        });
      assert.instanceOf(thrown, UpdateRefused);
      assert.equal((await c.storage.get(c.key('a')))?.revision, created.revision);
    });

    it('believes an error on a cached record only when it is current', async () => {
      const stale = await c.create('a');
      const current = await increment(c.key('a'));
      const refuseStale = (): Promise<ObjectRecord> =>
        c.storage.guaranteedUpdate(
          c.key('a'),
          ({ object }) => {
            if (counterOf(object) === 0) throw new UpdateRefused('stale');
            return { object: pod('a', { labels: { counter: '5' } }) };
          },
          { cached: stale },
        );
      assert.equal(counterOf((await refuseStale()).object()), 5);
      let calls = 0;
      let thrown: unknown;
      await c.storage
        .guaranteedUpdate(
          c.key('a'),
          () => {
            calls++;
            throw new UpdateRefused('always');
          },
          { cached: current },
        )
        .catch((error: unknown) => {
          thrown = error;
        });
      assert.instanceOf(thrown, UpdateRefused);
      assert.isAtMost(calls, 2);
    });

    it('believes "nothing to change" on a cached record only when it is current', async () => {
      const stale = await c.create('a', { labels: { counter: '1' } });
      await c.update('a', { labels: { counter: '2' } });
      const updated = await c.storage.guaranteedUpdate(c.key('a'), () => ({ object: stale.object() }), {
        cached: stale,
      });
      assert.isAbove(updated.revision, stale.revision);
      assert.equal(counterOf((await c.storage.get(c.key('a')))?.object()), 1);
    });

    it('checks preconditions, also against the current state behind a cached record', async () => {
      const stale = await c.create('a', { uid: 'one' });
      const update = ({ object }: { object: KubeObject | undefined }): { object: KubeObject } => ({
        object: { ...object, spec: { nodeName: 'n' } },
      });
      const error = await rejection(
        c.storage.guaranteedUpdate(c.key('a'), update, { preconditions: { uid: 'two' } }),
        'InvalidObject',
      );
      assert.equal(
        error.message,
        `StorageError: invalid object, Code: 4, Key: ${c.key('a')}, ResourceVersion: 0, AdditionalErrorMsg: ` +
          'Precondition failed: UID in precondition: two, UID in object meta: one',
      );
      await c.storage.delete(c.key('a'));
      const recreated = await c.create('a', { uid: 'two' });
      const updated = await c.storage.guaranteedUpdate(c.key('a'), update, {
        preconditions: { uid: 'two' },
        cached: stale,
      });
      assert.isAbove(updated.revision, recreated.revision);
      const version = await rejection(
        c.storage.guaranteedUpdate(c.key('a'), update, {
          preconditions: { resourceVersion: String(recreated.revision) },
        }),
        'InvalidObject',
      );
      assert.include(
        version.message,
        `Precondition failed: ResourceVersion in precondition: ${recreated.revision}, ResourceVersion in ` +
          `object meta: ${updated.revision}`,
      );
      await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object }) => ({ object: { ...object, spec: { nodeName: 'm' } } }),
        { preconditions: { uid: 'two', resourceVersion: String(updated.revision) } },
      );
    });

    it('keeps, changes and removes the TTL', async function () {
      this.timeout(120_000);
      await c.storage.create(c.key('kept'), pod('kept'), { ttlSeconds: 100 });
      await c.storage.create(c.key('removed'), pod('removed'), { ttlSeconds: 100 });
      await c.create('set');
      const cached = await c.storage.get(c.key('kept'));
      const labelled = (name: string): KubeObject => pod(name, { labels: { changed: 'yes' } });
      await c.storage.guaranteedUpdate(c.key('kept'), () => ({ object: labelled('kept') }));
      const twice = await c.storage.guaranteedUpdate(
        c.key('kept'),
        () => ({ object: pod('kept', { labels: { changed: 'twice' } }) }),
        cached === undefined ? {} : { cached },
      );
      assert.deepEqual(twice.attributes.labels, { changed: 'twice' });
      await c.storage.guaranteedUpdate(c.key('removed'), () => ({ object: labelled('removed'), ttlSeconds: 0 }));
      await c.storage.guaranteedUpdate(c.key('set'), () => ({ object: labelled('set'), ttlSeconds: 1 }));
      const leaseOf = async (name: string): Promise<bigint | undefined> =>
        (await c.client.range({ key: c.key(name) })).kvs[0]?.lease;
      assert.notEqual(await leaseOf('kept'), 0n);
      assert.equal(await leaseOf('removed'), 0n);
      const deadline = Date.now() + 10_000;
      while ((await c.storage.get(c.key('set'), { ignoreNotFound: true })) !== undefined) {
        assert.isBelow(Date.now(), deadline, 'the object outlives its TTL');
        await delay(100);
      }
    });
  });
}
