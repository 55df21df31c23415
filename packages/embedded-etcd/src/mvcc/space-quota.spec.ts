import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { txn } from '../kv/txn.ts';
import { grantLease } from '../methods/lease-methods.ts';
import type { ServerContext } from '../context/server-context.ts';
import { put as putRequest } from '../kv/put.ts';
import type { PutRequest, RequestOp, TxnResponse } from '../proto/rpc-kv.ts';
import { compact } from '../methods/compact.ts';
import { deleteRange } from '../kv/delete-range.ts';
import { closeContext, openContext } from '../testing/open-context.ts';
import { TemporaryDirectory } from '../testing/temporary-directory.ts';
import { dataSize } from './data-file.ts';
import { KEY_OVERHEAD_BYTES, SpaceQuota } from './space-quota.ts';

const FULL = 'etcdserver: mvcc: database space exceeded';

describe('the quota of the store', () => {
  let directory: TemporaryDirectory;
  let context: ServerContext;

  beforeEach(() => {
    directory = new TemporaryDirectory();
    context = openContext({ dataFile: directory.file('data.db'), quotaBytes: 4_000_000 });
  });
  afterEach(() => {
    closeContext(context);
    directory[Symbol.dispose]();
  });

  it('refuses what would be stored beyond it, whichever way it comes', () => {
    const stored = fill(context);
    expect(stored).to.be.within(25, 40);
    expect(create(context, 'small', 10).succeeded).to.equal(true);
    expect(dataSize(context.database).used).to.be.below(4_200_000);
    expect(() => put(context, 'b', 100_000)).to.throw(FULL);
    expect(() => create(context, 'c', 100_000)).to.throw(FULL);
    expect(() => create(context, 'd', 100_000, true)).to.throw(FULL);
    expect(context.quota.exceeded).to.equal(true);
    expect(context.store.index.size).to.equal(stored + 1);
  });

  it('refuses more of the smallest objects than their places in memory have room for (storedKeyBytes)', () => {
    let stored = 0;
    while (stored < 10_000 && !isRefused(() => put(context, `small-${stored}`, 1))) stored++;
    expect(stored).to.be.within(3_000, 4_000_000 / KEY_OVERHEAD_BYTES);
    expect(KEY_OVERHEAD_BYTES).to.equal(limits.storedKeyBytes.value);
  });

  it('grants leases within it alone', () => {
    expect(grantLease(context, 7, 60).id).to.equal(7);
    while (!isRefused(() => put(context, `k${context.store.revision}`, 1000)));
    expect(() => {
      for (let id = 100; id < 200; id++) grantLease(context, id, 60);
    }).to.throw(FULL);
  });

  it('lets objects be deleted, and others be stored in the room that compaction makes', async () => {
    fill(context);
    deleteRange(context, { key: 'large-', rangeEnd: 'large.', prevKv: false });
    await compact(context, { revision: context.store.revision, physical: true });
    const deadline = Date.now() + 60_000;
    while (isRefused(() => put(context, 'next', 100_000))) {
      expect(Date.now()).to.be.below(deadline);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(context.quota.exceeded).to.equal(false);
    expect(context.store.index.get('next')).to.not.equal(undefined);
  });

  it('looks at the file once in a megabyte, and at each request beyond the bound', () => {
    let looks = 0;
    let used = 0;
    const quota = new SpaceQuota(10_000_000, () => {
      looks++;
      return used;
    });
    for (let i = 0; i < 500; i++) quota.take(1000);
    expect(looks).to.equal(1);
    for (let i = 0; i < 500; i++) quota.take(1000);
    expect(looks).to.equal(2);
    used = 20_000_000;
    expect(() => {
      for (let i = 0; i < 2000; i++) quota.take(1000);
    }).to.throw(FULL);
    used = 0;
    quota.take(1000);
    quota.take(0);
    expect(quota.exceeded).to.equal(false);
  });

  it('is storedBytes unless it is told otherwise, and none below zero', () => {
    expect(new SpaceQuota(0, () => 0).limitBytes).to.equal(limits.storedBytes.value);
    expect(new SpaceQuota(-1, () => 0).limitBytes).to.equal(Infinity);
    expect(new SpaceQuota(5, () => 0).limitBytes).to.equal(5);
  });
});

/** Stores 100 kB at a time until that is refused; how often it was not. */
function fill(context: ServerContext): number {
  let stored = 0;
  while (stored < 1000 && !isRefused(() => put(context, `large-${stored}`, 100_000))) stored++;
  return stored;
}

function isRefused(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    expect(String(error)).to.contain(FULL);
    return true;
  }
}

function put(context: ServerContext, key: string, bytes: number): void {
  putRequest(context, putOf(key, bytes), bytes);
}

/** Puts by a transaction, or by one within it. */
function create(context: ServerContext, key: string, bytes: number, nested = false): TxnResponse {
  const none = {
    requestRange: undefined,
    requestPut: undefined,
    requestDeleteRange: undefined,
    requestTxn: undefined,
  };
  const op: RequestOp = { ...none, requestPut: putOf(key, bytes) };
  const success = nested ? [{ ...none, requestTxn: { compare: [], success: [op], failure: [] } }] : [op];
  return txn(context, { compare: [], success, failure: [] }, bytes);
}

function putOf(key: string, bytes: number): PutRequest {
  return { key, value: Buffer.alloc(bytes), lease: 0, prevKv: false, ignoreValue: false, ignoreLease: false };
}
