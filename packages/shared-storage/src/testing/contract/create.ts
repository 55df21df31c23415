import { assert } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { Contract } from './contract-storage.ts';
import type { NewStorage } from './contract-storage.ts';
import { jsonOf, pod } from './pods.ts';
import { rejection } from './rejection.ts';

/** create. */
export function createContract(newStorage: NewStorage): void {
  describe('create', () => {
    let c: Contract;
    beforeEach(async () => {
      c = await Contract.open(newStorage);
    });
    afterEach(() => c.close());

    it('stores the object and resolves to it with its resourceVersion', async () => {
      const object = pod('a', { labels: { app: 'x' } });
      const record = await c.storage.create(c.key('a'), object);
      assert.equal(record.key, c.key('a'));
      assert.isAbove(record.revision, 0);
      const json = jsonOf(record);
      assert.equal(json.metadata?.resourceVersion, String(record.revision));
      assert.deepEqual(
        { ...json, metadata: { ...json.metadata, resourceVersion: undefined } },
        { ...object, metadata: { ...object.metadata, resourceVersion: undefined } },
      );
      assert.deepEqual(record.attributes, {
        name: 'a',
        namespace: 'ns',
        labels: { app: 'x' },
        fields: { 'metadata.name': 'a', 'metadata.namespace': 'ns', 'spec.nodeName': '' },
      });
      assert.isUndefined(object.metadata?.resourceVersion, 'the argument is not changed');
    });

    it('stores no resourceVersion in the bytes', async () => {
      const record = await c.create('a');
      const { kvs } = await c.client.range({ key: c.key('a') });
      assert.notInclude(kvs[0]?.value.toString('utf8'), 'resourceVersion');
      assert.equal(kvs[0]?.modRevision, record.revision);
    });

    it('gives each reader a private object', async () => {
      const record = await c.create('a', { labels: { app: 'x' } });
      const first = record.object();
      (first.metadata ??= {}).name = 'changed';
      assert.equal(record.object().metadata?.name, 'a');
      assert.equal(record.attributes.name, 'a');
    });

    it('keeps its attributes when the caller changes the object afterwards', async () => {
      const object = pod('a', { labels: { app: 'x' } });
      const record = await c.storage.create(c.key('a'), object);
      const labels = object.metadata?.labels;
      if (labels !== undefined) labels['app'] = 'y';
      assert.deepEqual(record.attributes.labels, { app: 'x' });
    });

    it('refuses a key that exists and leaves it as it is', async () => {
      const first = await c.create('a');
      const error = await rejection(c.create('a', { uid: 'other' }), 'KeyExists');
      assert.equal(error.key, c.key('a'));
      assert.equal(
        error.message,
        `StorageError: key exists, Code: 2, Key: ${c.key('a')}, ResourceVersion: 0, AdditionalErrorMsg: <nil>`,
      );
      assert.equal((await c.storage.get(c.key('a')))?.revision, first.revision);
    });

    it('refuses an object that has a resourceVersion', async () => {
      const object = pod('a');
      const error = await rejection(
        c.storage.create(c.key('a'), { ...object, metadata: { ...object.metadata, resourceVersion: '5' } }),
        'Internal',
      );
      assert.equal(error.message, 'resourceVersion should not be set on objects to be created');
    });

    it('refuses keys outside its root', async () => {
      await rejection(c.storage.create('/elsewhere/a', pod('a')), 'Internal');
      await rejection(c.storage.create(`${c.keyRoot}/../pods/a`, pod('a')), 'Internal');
      await rejection(c.storage.create(`${c.keyRoot}/./a`, pod('a')), 'Internal');
      await rejection(c.storage.create('', pod('a')), 'Internal');
    });

    it('takes names with dots', async () => {
      await c.create('..a');
      await c.create('a..');
      assert.equal((await c.storage.get(c.key('a..')))?.attributes.name, 'a..');
    });

    it('deletes the object when its TTL is over', async function () {
      this.timeout(120_000);
      await c.storage.create(c.key('a'), pod('a'), { ttlSeconds: 1 });
      await c.create('b');
      assert.isDefined(await c.storage.get(c.key('a')));
      const deadline = Date.now() + 10_000;
      while ((await c.storage.get(c.key('a'), { ignoreNotFound: true })) !== undefined) {
        assert.isBelow(Date.now(), deadline, 'the object outlives its TTL');
        await delay(100);
      }
      assert.isDefined(await c.storage.get(c.key('b')));
    });
  });
}
