import { expect } from 'chai';
import { MemoryEtcd } from '@kubechain/shared-storage/testing';
import { isEtcdError, type EtcdError, type EtcdWatchSink } from '@kubechain/shared-storage/etcd';
import { FaultyEtcdClient, withoutFaults } from './faulty-etcd-client.ts';
import type { PeerCall, PeerEffect } from './peer-call.ts';
import { PeerFaults } from './peer-faults.ts';

const value = Buffer.from('v');

/** What a watch is told, in words. */
function recorder(): { readonly told: string[]; readonly sink: EtcdWatchSink } {
  const told: string[] = [];
  return {
    told,
    sink: {
      created: () => void told.push('created'),
      events: (events) => void told.push(...events.map(({ kv }) => kv.key)),
      progress: () => undefined,
      end: (error) => void told.push(`end ${error?.code}`),
    },
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe('a client of the store under faults', () => {
  let etcd: MemoryEtcd;
  let faults: PeerFaults;
  let client: FaultyEtcdClient;
  let asked: PeerCall[];
  const set = (effect: PeerEffect): void =>
    faults.change(new Set(['store']), (call) => {
      asked.push(call);
      return Promise.resolve(effect);
    });
  const codeOf = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => 'none',
      (error: unknown) => (isEtcdError(error) ? (error as EtcdError).code : String(error)),
    );
  const count = async (): Promise<number> => (await etcd.range({ key: '/a' })).count;

  beforeEach(() => {
    etcd = new MemoryEtcd();
    faults = new PeerFaults();
    client = new FaultyEtcdClient(etcd, faults);
    asked = [];
  });
  afterEach(() => client.close());

  it('asks nobody while there are none', async () => {
    await client.put({ key: '/a', value });
    expect([await count(), asked]).to.deep.equal([1, []]);
  });

  it('says which key it is about, and whether it writes', async () => {
    set({ kind: 'delay', milliseconds: 1 });
    await client.range({ key: '/a' });
    await client.txn({
      compare: [{ key: '/b', modRevision: 0 }],
      success: [{ kind: 'put', request: { key: '/b', value } }],
      failure: [],
    });
    expect(asked).to.deep.equal([
      { peer: 'store', name: '/a', verb: 'read' },
      { peer: 'store', name: '/b', verb: 'write' },
    ]);
  });

  const rows: readonly (readonly [effect: PeerEffect, code: string, stored: number])[] = [
    [{ kind: 'refuse' }, 'Unavailable', 0],
    [{ kind: 'readOnly' }, 'NoSpace', 0],
    [{ kind: 'silence' }, 'DeadlineExceeded', 0],
    [{ kind: 'delay', milliseconds: 50 }, 'DeadlineExceeded', 0],
    [{ kind: 'delay', milliseconds: 1 }, 'none', 1],
    [{ kind: 'loseAnswer' }, 'Unavailable', 1],
  ];
  for (const [effect, code, stored] of rows)
    it(`answers a write that meets ${JSON.stringify(effect)} with ${code}`, async () => {
      set(effect);
      expect([await codeOf(client.put({ key: '/a', value }, { timeoutMs: 20 })), await count()]).to.deep.equal([
        code,
        stored,
      ]);
    });

  it('ends silence when its caller leaves', async () => {
    set({ kind: 'silence' });
    const left = new AbortController();
    const call = codeOf(client.range({ key: '/a' }, { signal: left.signal }));
    left.abort();
    expect(await call).to.equal('Cancelled');
  });

  it('ends watches with an error when nobody can be reached, once', async () => {
    const { sink, told } = recorder();
    client.watch({ key: '/', rangeEnd: '0', startRevision: 0 }, sink);
    await settled();
    set({ kind: 'refuse' });
    await settled();
    await etcd.put({ key: '/a', value });
    expect(told).to.deep.equal(['created', 'end Unavailable']);
  });

  it('holds the events of watches back while they meet silence', async () => {
    const { sink, told } = recorder();
    client.watch({ key: '/', rangeEnd: '0', startRevision: 0 }, sink);
    await settled();
    set({ kind: 'silence' });
    await settled();
    await etcd.put({ key: '/a', value });
    await settled();
    expect(told).to.deep.equal(['created']);
    faults.clear();
    await settled();
    expect(told).to.deep.equal(['created', '/a']);
  });

  it('opens a watch that met silence when that is over, and not one that was given up', async () => {
    set({ kind: 'silence' });
    const kept = recorder();
    const given = recorder();
    client.watch({ key: '/', rangeEnd: '0', startRevision: 0 }, kept.sink);
    client.watch({ key: '/', rangeEnd: '0', startRevision: 0 }, given.sink).cancel();
    await settled();
    expect([kept.told, given.told]).to.deep.equal([[], ['end undefined']]);
    faults.clear();
    await settled();
    expect([kept.told, given.told]).to.deep.equal([['created'], ['end undefined']]);
  });

  it('gives the client that meets none to who needs it', () => {
    expect(withoutFaults(client)).to.equal(etcd);
    expect(withoutFaults(etcd)).to.equal(etcd);
  });
});
