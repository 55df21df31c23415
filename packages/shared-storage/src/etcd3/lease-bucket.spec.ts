import { expect } from 'chai';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { EtcdError } from '../etcd-client/etcd-error.ts';
import { LeaseBucket } from './lease-bucket.ts';

/** Grants leases without an etcd. */
class Grants {
  readonly ttls: number[] = [];
  fail = false;

  get client(): EtcdClient {
    const leaseGrant = async (ttlSeconds: number): Promise<bigint> => {
      await Promise.resolve();
      if (this.fail) throw new EtcdError('Unavailable', 'no etcd');
      this.ttls.push(ttlSeconds);
      return BigInt(this.ttls.length);
    };
    // The bucket calls nothing else.
    return { leaseGrant } as unknown as EtcdClient;
  }
}

describe('LeaseBucket', () => {
  let grants: Grants;
  let nowMs: number;
  beforeEach(() => {
    grants = new Grants();
    nowMs = 1_000_000;
  });
  const bucket = (options: { maxObjects?: number; reuseDurationSeconds?: number } = {}): LeaseBucket =>
    new LeaseBucket(grants.client, { now: () => nowMs, ...options });

  it('gives one lease to all that come within the reuse time, and no object less than its TTL', async () => {
    const leases = bucket();
    expect(await leases.lease(3600)).to.equal(1n);
    expect(grants.ttls).to.deep.equal([3660]);
    nowMs += 59_000;
    expect(await leases.lease(3600)).to.equal(1n);
    nowMs += 1_000;
    expect(await leases.lease(3600), 'the first would end a moment too early').to.equal(2n);
  });

  it('stretches short TTLs by 5 % at most', async () => {
    const leases = bucket();
    await leases.lease(100);
    expect(grants.ttls).to.deep.equal([105]);
    await leases.lease(10);
    expect(grants.ttls, 'a lease that lasts much longer is not used').to.deep.equal([105, 10]);
  });

  it('grants once for many that come at the same time', async () => {
    const leases = bucket();
    const ids = await Promise.all(Array.from({ length: 50 }, () => leases.lease(3600)));
    expect(new Set(ids)).to.deep.equal(new Set([1n]));
    expect(grants.ttls).to.have.lengthOf(1);
  });

  it('attaches at most 1000 objects to a lease', async () => {
    const leases = bucket();
    const ids: bigint[] = [];
    for (let i = 0; i < 2_500; i++) ids.push(await leases.lease(3600));
    expect([1n, 2n, 3n].map((id) => ids.filter((given) => given === id).length)).to.deep.equal([1000, 1000, 500]);
  });

  it('tries again after a failed grant', async () => {
    const leases = bucket();
    grants.fail = true;
    const results = await Promise.allSettled([leases.lease(3600), leases.lease(3600)]);
    expect(results.every((result) => result.status === 'rejected')).to.equal(true);
    grants.fail = false;
    expect(await leases.lease(3600)).to.equal(1n);
  });

  it('tells how many objects a lease was for when it is replaced', async () => {
    const counts: number[] = [];
    const leases = new LeaseBucket(grants.client, { maxObjects: 3, onReplaced: (objects) => counts.push(objects) });
    for (let i = 0; i < 7; i++) await leases.lease(3600);
    expect(counts, 'as upstream, with the object that needs the next one').to.deep.equal([1, 4, 4]);
  });
});
