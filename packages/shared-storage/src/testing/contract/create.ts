import { expect } from 'chai';
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
      expect(record.key).to.equal(c.key('a'));
      expect(record.revision).to.be.above(0);
      const json = jsonOf(record);
      expect(json.metadata?.resourceVersion).to.equal(String(record.revision));
      expect({ ...json, metadata: { ...json.metadata, resourceVersion: undefined } }).to.deep.equal({
        ...object,
        metadata: { ...object.metadata, resourceVersion: undefined },
      });
      expect(record.attributes).to.deep.equal({
        name: 'a',
        namespace: 'ns',
        labels: { app: 'x' },
        fields: { 'metadata.name': 'a', 'metadata.namespace': 'ns', 'spec.nodeName': '' },
      });
      expect(object.metadata?.resourceVersion, 'the argument is not changed').to.equal(undefined);
    });

    it('stores no resourceVersion in the bytes', async () => {
      const record = await c.create('a');
      const { kvs } = await c.client.range({ key: c.key('a') });
      expect(kvs[0]?.value.toString('utf8')).to.not.include('resourceVersion');
      expect(kvs[0]?.modRevision).to.equal(record.revision);
    });

    it('gives each reader a private object', async () => {
      const record = await c.create('a', { labels: { app: 'x' } });
      const first = record.object();
      (first.metadata ??= {}).name = 'changed';
      expect(record.object().metadata?.name).to.equal('a');
      expect(record.attributes.name).to.equal('a');
    });

    it('keeps its attributes when the caller changes the object afterwards', async () => {
      const object = pod('a', { labels: { app: 'x' } });
      const record = await c.storage.create(c.key('a'), object);
      const labels = object.metadata?.labels;
      if (labels !== undefined) labels['app'] = 'y';
      expect(record.attributes.labels).to.deep.equal({ app: 'x' });
    });

    it('refuses a key that exists and leaves it as it is', async () => {
      const first = await c.create('a');
      const error = await rejection(c.create('a', { uid: 'other' }), 'KeyExists');
      expect(error.key).to.equal(c.key('a'));
      expect(error.message).to.equal(
        `StorageError: key exists, Code: 2, Key: ${c.key('a')}, ResourceVersion: 0, AdditionalErrorMsg: <nil>`,
      );
      expect((await c.storage.get(c.key('a')))?.revision).to.equal(first.revision);
    });

    it('refuses an object that has a resourceVersion', async () => {
      const object = pod('a');
      const error = await rejection(
        c.storage.create(c.key('a'), { ...object, metadata: { ...object.metadata, resourceVersion: '5' } }),
        'Internal',
      );
      expect(error.message).to.equal('resourceVersion should not be set on objects to be created');
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
      expect((await c.storage.get(c.key('a..')))?.attributes.name).to.equal('a..');
    });

    it('deletes the object when its TTL is over', async function () {
      this.timeout(120_000);
      await c.storage.create(c.key('a'), pod('a'), { ttlSeconds: 1 });
      await c.create('b');
      expect(await c.storage.get(c.key('a'))).to.not.equal(undefined);
      const deadline = Date.now() + 10_000;
      while ((await c.storage.get(c.key('a'), { ignoreNotFound: true })) !== undefined) {
        expect(Date.now(), 'the object outlives its TTL').to.be.below(deadline);
        await delay(100);
      }
      expect(await c.storage.get(c.key('b'))).to.not.equal(undefined);
    });
  });
}
