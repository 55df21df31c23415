import { expect } from 'chai';
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
        expect(object?.metadata?.resourceVersion).to.equal(String(created.revision));
        expect(record?.revision).to.equal(created.revision);
        const labels = object?.metadata?.labels;
        if (object === undefined || labels === undefined) return expect.fail('the object is missing');
        labels['app'] = 'y';
        return { object };
      });
      expect(updated.revision).to.be.above(created.revision);
      expect(jsonOf(updated).metadata?.resourceVersion).to.equal(String(updated.revision));
      expect(updated.attributes.labels).to.deep.equal({ app: 'y' });
      expect(created.attributes.labels).to.deep.equal({ app: 'x' });
      expect((await c.storage.get(c.key('a')))?.json).to.deep.equal(updated.json);
    });

    it('takes an asynchronous update', async () => {
      await c.create('a');
      const updated = await c.storage.guaranteedUpdate(c.key('a'), async ({ object }) => {
        await delay(1);
        return { object: { ...object, metadata: { ...object?.metadata, labels: { late: 'yes' } } } };
      });
      expect(updated.attributes.labels).to.deep.equal({ late: 'yes' });
    });

    it('waits for its turn before each attempt, and tells what it is about', async () => {
      const { json } = await c.create('a');
      const steps: string[] = [];
      await c.storage.guaranteedUpdate(
        c.key('a'),
        async () => {
          // Another writer is faster, once.
          if (!steps.includes('update')) await increment(c.key('a'));
          steps.push('update');
          return { object: pod('a', { labels: { last: 'yes' } }) };
        },
        {
          turn: (turned) =>
            delay(1).then(() => {
              steps.push(turned.length >= json.length ? 'turn' : 'too few bytes');
            }),
        },
      );
      expect(steps).to.deep.equal(['turn', 'update', 'turn', 'update']);
    });

    it('rejects a missing key, or creates it', async () => {
      await rejection(increment(c.key('a')), 'KeyNotFound');
      const created = await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object, record }) => {
          expect(object).to.equal(undefined);
          expect(record).to.equal(undefined);
          return { object: pod('a') };
        },
        { ignoreNotFound: true },
      );
      expect((await c.storage.get(c.key('a')))?.revision).to.equal(created.revision);
    });

    it('writes nothing when nothing changes', async () => {
      const created = await c.create('a');
      const { events, watch } = await c.watch({ resourceVersion: String(created.revision) });
      const same = await c.storage.guaranteedUpdate(c.key('a'), ({ object }) => ({ object: object ?? expect.fail() }));
      expect(same.revision).to.equal(created.revision);
      expect(same.json).to.deep.equal(created.json);
      const cached = await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object }) => ({ object: object ?? expect.fail() }),
        { cached: created },
      );
      expect(cached.revision).to.equal(created.revision);
      const next = await increment(c.key('a'));
      expect(await events.changes(1)).to.deep.equal(['MODIFIED a']);
      watch.stop();
      const { kvs } = await c.client.range({ key: c.key('a') });
      expect(kvs[0]?.version, 'written twice only').to.equal(2);
      expect(next.revision).to.be.above(created.revision);
    });

    it('loses no concurrent update', async () => {
      await c.create('a');
      await Promise.all(Array.from({ length: 20 }, () => increment(c.key('a'))));
      const record = await c.storage.get(c.key('a'));
      expect(counterOf(record?.object())).to.equal(20);
    });

    it('loses no concurrent update with stale cached records', async () => {
      const stale = await c.create('a');
      await Promise.all(Array.from({ length: 10 }, () => increment(c.key('a'), stale)));
      expect(counterOf((await c.storage.get(c.key('a')))?.object())).to.equal(10);
    });

    it('retries on the new state when somebody is faster', async () => {
      await c.create('a');
      const seen: number[] = [];
      await c.storage.guaranteedUpdate(c.key('a'), async ({ object }) => {
        seen.push(counterOf(object));
        if (seen.length === 1) await increment(c.key('a'));
        return { object: pod('a', { labels: { counter: String(counterOf(object) + 10) } }) };
      });
      expect(seen).to.deep.equal([0, 1]);
      expect(counterOf((await c.storage.get(c.key('a')))?.object())).to.equal(11);
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

    it('writes what is there already where that is wanted', async () => {
      const created = await c.create('a', { labels: { app: 'x' } });
      const same = ({ object }: { readonly object: KubeObject | undefined }): { readonly object: KubeObject } => ({
        object: object ?? {},
      });
      expect((await c.storage.guaranteedUpdate(c.key('a'), same)).revision).to.equal(created.revision);
      const written = await c.storage.guaranteedUpdate(c.key('a'), same, { evenIfUnchanged: true });
      expect(written.revision).to.be.greaterThan(created.revision);
      expect(written.object().metadata?.labels).to.deep.equal({ app: 'x' });
    });

    it('writes what has not been updated since it was created where that is wanted, once', async () => {
      const created = await c.create('a', { labels: { app: 'x' } });
      const same = ({ object }: { readonly object: KubeObject | undefined }): { readonly object: KubeObject } => ({
        object: object ?? {},
      });
      const writesFirst = ({ metadata }: KubeObject): boolean => metadata?.labels?.['app'] === 'x';
      const written = await c.storage.guaranteedUpdate(c.key('a'), same, { writesFirst });
      expect(written.revision).to.be.greaterThan(created.revision);
      const again = await c.storage.guaranteedUpdate(c.key('a'), same, { writesFirst });
      expect(again.revision).to.equal(written.revision);
    });

    it('does not look for what has changed where the update knows', async () => {
      const created = await c.create('a', { labels: { app: 'x' } });
      const written = await c.storage.guaranteedUpdate(c.key('a'), ({ object }) => ({
        object: object ?? {},
        isChanged: true,
      }));
      expect(written.revision).to.be.greaterThan(created.revision);
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
      expect(thrown).to.be.instanceOf(UpdateRefused);
      expect((await c.storage.get(c.key('a')))?.revision).to.equal(created.revision);
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
      expect(counterOf((await refuseStale()).object())).to.equal(5);
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
      expect(thrown).to.be.instanceOf(UpdateRefused);
      expect(calls).to.be.at.most(2);
    });

    it('believes "nothing to change" on a cached record only when it is current', async () => {
      const stale = await c.create('a', { labels: { counter: '1' } });
      await c.update('a', { labels: { counter: '2' } });
      const updated = await c.storage.guaranteedUpdate(c.key('a'), () => ({ object: stale.object() }), {
        cached: stale,
      });
      expect(updated.revision).to.be.above(stale.revision);
      expect(counterOf((await c.storage.get(c.key('a')))?.object())).to.equal(1);
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
      expect(error.message).to.equal(
        `StorageError: invalid object, Code: 4, Key: ${c.key('a')}, ResourceVersion: 0, AdditionalErrorMsg: ` +
          'Precondition failed: UID in precondition: two, UID in object meta: one',
      );
      await c.storage.delete(c.key('a'));
      const recreated = await c.create('a', { uid: 'two' });
      const updated = await c.storage.guaranteedUpdate(c.key('a'), update, {
        preconditions: { uid: 'two' },
        cached: stale,
      });
      expect(updated.revision).to.be.above(recreated.revision);
      const version = await rejection(
        c.storage.guaranteedUpdate(c.key('a'), update, {
          preconditions: { resourceVersion: String(recreated.revision) },
        }),
        'InvalidObject',
      );
      expect(version.message).to.include(
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
      expect(twice.attributes.labels).to.deep.equal({ changed: 'twice' });
      await c.storage.guaranteedUpdate(c.key('removed'), () => ({ object: labelled('removed'), ttlSeconds: 0 }));
      await c.storage.guaranteedUpdate(c.key('set'), () => ({ object: labelled('set'), ttlSeconds: 1 }));
      const leaseOf = async (name: string): Promise<bigint | undefined> =>
        (await c.client.range({ key: c.key(name) })).kvs[0]?.lease;
      expect(await leaseOf('kept')).to.not.equal(0n);
      expect(await leaseOf('removed')).to.equal(0n);
      const deadline = Date.now() + 10_000;
      while ((await c.storage.get(c.key('set'), { ignoreNotFound: true })) !== undefined) {
        expect(Date.now(), 'the object outlives its TTL').to.be.below(deadline);
        await delay(100);
      }
    });
  });
}
