import { append } from '@kubechain/apimachinery';
import type { EtcdClient, KeyValue, TxnOperation } from '../etcd-client/etcd-client.ts';

/** One key of a snapshot. */
export interface SnapshotKey {
  readonly key: string;
  readonly value: Buffer;
  /** Seconds that its lease had left; undefined without one. */
  readonly ttlSeconds?: number;
}

/** All that a store held at one revision. */
export interface Snapshot {
  readonly revision: number;
  readonly keys: readonly SnapshotKey[];
}

/** What a restore has done. */
export interface RestoreResult {
  /** Keys that were written, and those that were deleted. */
  readonly written: number;
  readonly deleted: number;
  /** The store's revision afterwards. */
  readonly revision: number;
}

/** etcd's default `--max-txn-ops` is 128. */
const operationsAtOnce = 120;
/** Past the last key of all. */
const end = '\0';
const first = '\0';

/** Reads all that a store holds, at one revision. @throws EtcdError */
export async function takeSnapshot(client: EtcdClient): Promise<Snapshot> {
  const { kvs, revision } = await readAll(client);
  const leases = new Map<bigint, number>();
  for (const { lease } of kvs)
    if (lease !== 0n && !leases.has(lease)) leases.set(lease, await client.leaseTimeToLive(lease));
  return {
    revision,
    keys: kvs.map(({ key, lease, value }) => {
      const ttlSeconds = leases.get(lease);
      // Values are views into the message that was received.
      return { key, value: Buffer.from(value), ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
    }),
  };
}

/**
 * Makes a store hold what a snapshot says, by ordinary writes: what is alike stays, the rest is written or deleted, so
 * that revisions go on growing and watchers are told. Works on any etcd; not one transaction when there is much to do.
 * @throws EtcdError
 */
export async function restoreSnapshot(client: EtcdClient, snapshot: Snapshot): Promise<RestoreResult> {
  const { kvs, revision } = await readAll(client);
  const now = new Map(kvs.map((kv) => [kv.key, kv]));
  const leases = new LeaseGrants(client);
  const operations: TxnOperation[] = [];
  let written = 0;
  for (const { key, ttlSeconds, value } of snapshot.keys) {
    const before = now.get(key);
    now.delete(key);
    if (before?.value.equals(value) === true && (before.lease !== 0n) === (ttlSeconds !== undefined)) continue;
    written++;
    const lease = ttlSeconds === undefined ? undefined : await leases.of(ttlSeconds);
    operations.push({ kind: 'put', request: { key, value, ...(lease === undefined ? {} : { lease }) } });
  }
  for (const key of now.keys()) operations.unshift({ kind: 'delete', request: { key } });
  let last = revision;
  for (let at = 0; at < operations.length; at += operationsAtOnce) {
    const success = operations.slice(at, at + operationsAtOnce);
    ({ revision: last } = await client.txn({ compare: [], success, failure: [] }));
  }
  return { written, deleted: now.size, revision: last };
}

/** One lease for all keys that end within the same second. */
class LeaseGrants {
  readonly #client: EtcdClient;
  readonly #bySeconds = new Map<number, bigint>();

  constructor(client: EtcdClient) {
    this.#client = client;
  }

  async of(ttlSeconds: number): Promise<bigint> {
    const seconds = Math.max(1, ttlSeconds);
    let lease = this.#bySeconds.get(seconds);
    if (lease === undefined) this.#bySeconds.set(seconds, (lease = await this.#client.leaseGrant(seconds)));
    return lease;
  }
}

/** Of which the largest that may be stored are still an answer that can be taken. */
const pageKeys = 40;

async function readAll(client: EtcdClient): Promise<{ readonly kvs: KeyValue[]; readonly revision: number }> {
  const page = await client.range({ key: first, rangeEnd: end, limit: pageKeys });
  const { kvs, revision } = page;
  let { more } = page;
  while (more) {
    const from = `${(kvs.at(-1) as KeyValue).key}\0`;
    const next = await client.range({ key: from, rangeEnd: end, limit: pageKeys, revision });
    append(kvs, next.kvs);
    ({ more } = next);
  }
  return { kvs, revision };
}
