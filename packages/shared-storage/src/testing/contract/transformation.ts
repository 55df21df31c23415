import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { Untransformed, ValueTransformer } from '../../value/transformer.ts';
import { isStorageError } from '../../storage/errors.ts';
import { Contract } from './contract-storage.ts';
import type { ContractTraits, NewStorage } from './contract-storage.ts';
import { namesOf } from './pods.ts';
import { rejection } from './rejection.ts';

/** Puts a prefix in front of values; values with the old prefix are readable but stale, others unreadable. */
class TestTransformer implements ValueTransformer {
  prefix = 'one:';
  readonly old = ['zero:', 'one:', 'two:'];
  /** Answers later, as a transformer that fetches keys does. */
  asynchronous = false;

  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed> {
    const text = Buffer.from(value).toString('utf8');
    const prefix = this.old.find((candidate) => text.startsWith(candidate + key));
    if (prefix === undefined) throw new RangeError('test transformer cannot read this value');
    const result = { value: Buffer.from(text.slice(prefix.length + key.length)), stale: prefix !== this.prefix };
    return this.asynchronous ? delay(Math.random() * 3, result) : result;
  }

  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    const result = Buffer.concat([Buffer.from(this.prefix + key), value]);
    return this.asynchronous ? delay(1, result) : result;
  }
}

/** Value transformers and objects that cannot be read. */
export function transformationContract(newStorage: NewStorage, traits: ContractTraits): void {
  describe('value transformation', () => {
    let c: Contract;
    let transformer: TestTransformer;
    beforeEach(async () => {
      transformer = new TestTransformer();
      c = await Contract.open(newStorage, transformer);
    });
    afterEach(() => c.close());
    const rawValue = async (name: string): Promise<string> =>
      (await c.client.range({ key: c.key(name) })).kvs[0]?.value.toString('utf8') ?? '';

    for (const asynchronous of [false, true]) {
      it(`applies to all operations${asynchronous ? ' when it answers later' : ''}`, async () => {
        transformer.asynchronous = asynchronous;
        const created = await c.create('a');
        expect(await rawValue('a')).to.match(/^one:\/registry/);
        const { watch, events } = await c.watch({ resourceVersion: String(created.revision) });
        expect((await c.storage.get(c.key('a')))?.attributes.name).to.equal('a');
        for (let i = 0; i < 10; i++) await c.update('a', { labels: { v: String(i) } });
        await c.create('b');
        expect(namesOf((await c.storage.getList(c.prefix())).items)).to.deep.equal(['a', 'b']);
        await c.storage.delete(c.key('a'));
        expect(await events.changes(12)).to.deep.equal([
          ...Array.from({ length: 10 }, () => 'MODIFIED a'),
          'ADDED b',
          'DELETED a',
        ]);
        const revisions = events.events.map((event) => ('record' in event ? event.record.revision : 0));
        expect(revisions).to.deep.equal([...revisions].sort((x, y) => x - y));
        watch.stop();
      });
    }

    it('writes a stale value again although nothing else changes', async () => {
      const created = await c.create('a');
      transformer.prefix = 'two:';
      const unchanged = await c.storage.guaranteedUpdate(c.key('a'), ({ object }) => ({
        object: object ?? expect.fail(),
      }));
      expect(unchanged.revision).to.be.above(created.revision);
      expect(await rawValue('a')).to.match(/^two:/);
      const again = await c.storage.guaranteedUpdate(c.key('a'), ({ object }) => ({ object: object ?? expect.fail() }));
      expect(again.revision).to.equal(unchanged.revision);
    });

    it('writes a stale value again behind a cached record', async () => {
      const created = await c.create('a');
      transformer.prefix = 'two:';
      const rewritten = await c.storage.guaranteedUpdate(
        c.key('a'),
        ({ object }) => ({ object: object ?? expect.fail() }),
        { cached: created },
      );
      expect(rewritten.revision).to.be.above(created.revision);
      expect(await rawValue('a')).to.match(/^two:/);
    });

    if (traits.cached === true) return;

    it('reports objects that cannot be read, and deletes them on request without reading', async () => {
      await c.create('a');
      await c.client.put({ key: c.key('b'), value: Buffer.from('garbage') });
      expect((await rejection(c.storage.get(c.key('b')), 'CorruptObject')).message).to.equal(
        'test transformer cannot read this value',
      );
      const list = await rejection(c.storage.getList(c.prefix()), 'CorruptObject');
      expect(list.message).to.equal(`unable to transform key "${c.key('b')}": test transformer cannot read this value`);
      await rejection(c.storage.delete(c.key('b')), 'CorruptObject');
      await rejection(
        c.storage.guaranteedUpdate(c.key('b'), ({ object }) => ({ object: object ?? {} })),
        'CorruptObject',
      );
      const deleted = await c.storage.delete(c.key('b'), { ignoreStoreReadError: true });
      expect(deleted.revision).to.be.above(0);
      expect(namesOf((await c.storage.getList(c.prefix())).items)).to.deep.equal(['a']);
      await rejection(c.storage.delete(c.key('b'), { ignoreStoreReadError: true }), 'KeyNotFound');
    });

    it('reports bytes that cannot be decoded', async () => {
      await c.client.put({ key: c.key('b'), value: Buffer.from(`one:${c.key('b')}{"kind":"Pod"`) });
      await rejection(c.storage.get(c.key('b')), 'CorruptObject');
      await rejection(c.storage.getList(c.prefix()), 'CorruptObject');
    });

    it('ends a watch with an error at a change that cannot be read', async () => {
      const { revision } = await c.create('a');
      const { events } = await c.watch({ resourceVersion: String(revision) });
      await c.client.put({ key: c.key('b'), value: Buffer.from('garbage') });
      const failed = await events.find((event) => event.type === 'ERROR');
      expect(failed.type === 'ERROR' && isStorageError(failed.error, 'CorruptObject')).to.equal(true);
      await events.finished();
      expect(events.reason?.kind).to.equal('failed');
    });

    it('ends a watch with an error at the deletion of an object that cannot be read', async () => {
      const { revision } = await c.client.put({ key: c.key('b'), value: Buffer.from('garbage') });
      const { events } = await c.watch({ resourceVersion: String(revision) });
      await c.storage.delete(c.key('b'), { ignoreStoreReadError: true });
      const failed = await events.find((event) => event.type === 'ERROR');
      expect(failed.type === 'ERROR' ? failed.error.message : '').to.equal('test transformer cannot read this value');
      await events.finished();
    });
  });
}
