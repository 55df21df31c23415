import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { codecCounters } from '../storage/codec-counters.ts';
import { CallRecorder } from '../testing/call-recorder.ts';
import { Contract } from '../testing/contract/contract-storage.ts';
import { pod } from '../testing/contract/pods.ts';
import type { CallOptions, RangeRequest, RangeResponse } from '../etcd-client/etcd-client.ts';
import { EtcdError } from '../etcd-client/etcd-error.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from './store.ts';

/** Takes a few objects in one answer, as if they were large. */
class NarrowClient extends CallRecorder {
  most = Infinity;

  override range(request: RangeRequest, options?: CallOptions): Promise<RangeResponse> {
    return (request.limit ?? 0) > this.most
      ? Promise.reject(new EtcdError('ResponseTooLarge', 'too much'))
      : super.range(request, options);
  }
}

describe('what the etcd3 store costs', () => {
  let folder: string;
  let etcd: EmbeddedEtcd;
  let recorder: CallRecorder;
  let narrow: NarrowClient;
  let c: Contract;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-cost-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    narrow = new NarrowClient(createEtcdClient({ endpoints: [etcd.endpoint] }));
    recorder = new CallRecorder(narrow);
  });
  after(async () => {
    await recorder.close();
    await etcd.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    c = await Contract.open((setup) => {
      const storage = new Etcd3Store({ ...setup, client: recorder, groupResource: { group: '', resource: 'pods' } });
      return Promise.resolve({ storage, client: recorder, close: () => storage.close() });
    });
  });
  afterEach(() => {
    narrow.most = Infinity;
    return c.close();
  });

  const callsOf = async (operation: () => Promise<unknown>): Promise<string[]> => {
    recorder.reset();
    await operation();
    return recorder.calls.map((call) => call.method);
  };
  const label = (value: string) => (): { object: ReturnType<typeof pod> } => ({
    object: pod('a', { labels: { value } }),
  });

  it('reads and writes with one call each', async () => {
    expect(await callsOf(() => c.create('a'))).to.deep.equal(['txn']);
    expect(await callsOf(() => c.storage.get(c.key('a')))).to.deep.equal(['range']);
    expect(await callsOf(() => c.storage.getList(c.prefix()))).to.deep.equal(['range']);
    expect(await callsOf(() => c.storage.count(c.prefix()))).to.deep.equal(['range']);
    expect(await callsOf(() => c.storage.currentRevision())).to.deep.equal(['range']);
    expect(await callsOf(() => c.storage.guaranteedUpdate(c.key('a'), label('1')))).to.deep.equal(['range', 'txn']);
    expect(await callsOf(() => c.storage.delete(c.key('a')))).to.deep.equal(['range', 'txn']);
  });

  it('spares the read with a cached record', async () => {
    const created = await c.create('a');
    let updated = created;
    expect(
      await callsOf(async () => {
        updated = await c.storage.guaranteedUpdate(c.key('a'), label('1'), { cached: created });
      }),
    ).to.deep.equal(['txn']);
    expect(
      await callsOf(() => c.storage.guaranteedUpdate(c.key('a'), label('2'), { cached: created })),
      'a stale one costs a second transaction',
    ).to.deep.equal(['txn', 'txn']);
    const current = await c.storage.get(c.key('a'));
    expect(
      await callsOf(() =>
        c.storage.guaranteedUpdate(c.key('a'), label('2'), current === undefined ? {} : { cached: current }),
      ),
      'nothing to write is checked',
    ).to.deep.equal(['range']);
    expect(await callsOf(() => c.storage.delete(c.key('a'), { cached: updated }))).to.deep.equal(['txn', 'txn']);
  });

  it('pages lists in bounded ranges', async function () {
    this.timeout(120_000);
    for (let i = 0; i < 21; i++) await Promise.all(Array.from({ length: 100 }, (_, j) => c.create(`p-${i}-${j}`)));
    expect(await callsOf(() => c.storage.getList(c.prefix()))).to.deep.equal(['range', 'range']);
    expect(await callsOf(() => c.storage.getList(c.prefix(), { limit: 500 }))).to.deep.equal(['range']);
  });

  it('reads large objects a few at a time, whatever the limit', async function () {
    this.timeout(120_000);
    const large = 'x'.repeat(1_000_000);
    for (let i = 10; i < 30; i++) await c.storage.create(c.key(`l-${i}`), pod(`l-${i}`, { labels: { large } }));
    expect(await callsOf(() => c.storage.getList(c.prefix()))).to.deep.equal(['range', 'range', 'range']);
    recorder.reset();
    const first = await c.storage.getList(c.prefix(), { limit: 12 });
    expect([recorder.count('range'), first.items.length, first.remainingItemCount]).to.deep.equal([2, 12, 8]);
    const rest = await c.storage.getList(c.prefix(), { limit: 1000, continue: first.continue });
    expect([...first.items, ...rest.items].map(({ key }) => key.slice(-2))).to.deep.equal(
      Array.from({ length: 20 }, (_, i) => String(10 + i)),
    );
    expect([rest.continue, rest.remainingItemCount]).to.deep.equal(['', undefined]);
  });

  it('asks for fewer objects where etcd has more to say than can be taken at once', async () => {
    for (let i = 10; i < 30; i++) await c.create(`s-${i}`);
    narrow.most = 3;
    for (const limit of [0, 7, 500]) {
      const { items } = await c.storage.getList(c.prefix(), { limit });
      expect(items, String(limit)).to.have.length(limit === 7 ? 7 : 20);
    }
  });

  it('shares one lease among objects with a TTL', async () => {
    const create = (name: string) => (): Promise<unknown> =>
      c.storage.create(c.key(name), pod(name), { ttlSeconds: 3600 });
    expect(await callsOf(create('a'))).to.deep.equal(['leaseGrant', 'txn']);
    expect(await callsOf(create('b'))).to.deep.equal(['txn']);
  });

  it('takes another lease when etcd has forgotten the shared one', async () => {
    const create = (name: string) => (): Promise<unknown> =>
      c.storage.create(c.key(name), pod(name), { ttlSeconds: 3600 });
    await create('a')();
    const lease = (await recorder.range({ key: c.key('a') })).kvs[0]?.lease ?? 0n;
    await recorder.leaseRevoke(lease);
    expect(await callsOf(create('b'))).to.deep.equal(['txn', 'leaseGrant', 'txn']);
    await c.create('c');
    await recorder.leaseRevoke((await recorder.range({ key: c.key('b') })).kvs[0]?.lease ?? 0n);
    expect(
      await callsOf(() =>
        c.storage.guaranteedUpdate(c.key('c'), () => ({ object: pod('c', { labels: { x: 'y' } }), ttlSeconds: 3600 })),
      ),
    ).to.deep.equal(['range', 'txn', 'leaseGrant', 'txn']);
  });

  it('decodes what others have written once, and what was written here not at all', async () => {
    const { revision } = await c.create('start');
    const { watch, events } = await c.watch({ resourceVersion: String(revision) });
    const before = { ...codecCounters };
    await c.create('a');
    await events.take(1);
    expect({ ...codecCounters }).to.deep.equal({ decodes: before.decodes, encodes: before.encodes + 1 });
    const key = c.key('a');
    const { value } = (await recorder.range({ key })).kvs[0]!;
    const foreign = Buffer.from(value.toString().replace('"name":"a"', '"name":"a","generateName":"g"'));
    await recorder.txn({ compare: [], success: [{ kind: 'put', request: { key, value: foreign } }], failure: [] });
    await events.take(1);
    expect({ ...codecCounters }).to.deep.equal({ decodes: before.decodes + 1, encodes: before.encodes + 1 });
    watch.stop();
  });
});
