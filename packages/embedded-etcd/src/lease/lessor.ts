import { EtcdError, GrpcCode, etcdError } from '../errors/etcd-error.ts';
import type { CommitObserver, LeaseAttachments, MvccStore } from '../mvcc/mvcc-store.ts';
import type { Timer } from '@kubechain/apimachinery/movable-clock';
import type { StoreClock } from '../clock/store-clock.ts';
import type { LeaseRow, LeaseTable } from './lease-table.ts';

/** etcd's limits (server/lease/lessor.go); the shortest is its default with a 1 s election timeout. Seconds. */
const SHORTEST_TTL = 2;
const LONGEST_TTL = 9_000_000_000;
/** Expiry is looked for at most this often; etcd looks every 500 ms. */
const EXPIRY_PAUSE_MS = 100;

/** What there is to know of a lease. */
export interface LeaseInfo {
  readonly id: number;
  /** Seconds granted. */
  readonly grantedTtl: number;
  /** Whole seconds left. */
  readonly remainingTtl: number;
  /** Attached keys, sorted. */
  readonly keys: readonly string[];
}

interface Lease {
  readonly id: number;
  readonly ttl: number;
  readonly keys: Set<string>;
  /** On the monotonic clock. */
  expiresAtMs: number;
  /** Whether the file still has the deadline of the grant. */
  deadlineKept: boolean;
}

/**
 * Grants, renews, revokes and expires leases.
 *
 * A lease that was never kept alive expires at its granted time even across
 * restarts. The first keep-alive erases the deadline from the file, and such a
 * lease gets its full time again after a restart, as leases of etcd do: so a
 * keep-alive costs a write once, not every time.
 */
export class Lessor implements LeaseAttachments, CommitObserver {
  readonly #store: MvccStore;
  readonly #table: LeaseTable;
  readonly #clock: StoreClock;
  readonly #newId: () => number;
  readonly #leases = new Map<number, Lease>();
  #timer: Timer | undefined;
  #timerAtMs = Infinity;

  constructor(parts: {
    readonly store: MvccStore;
    readonly table: LeaseTable;
    readonly clock: StoreClock;
    readonly newId: () => number;
  }) {
    this.#store = parts.store;
    this.#table = parts.table;
    this.#clock = parts.clock;
    this.#newId = parts.newId;
    this.#load();
    parts.store.attachLeases(this);
    parts.store.observe(this);
  }

  /** Whether the lease exists. */
  has(id: number): boolean {
    return this.#leases.has(id);
  }

  /** Grants a lease; id 0 chooses one. @throws EtcdError */
  grant(id: number, ttl: number): LeaseInfo {
    if (ttl > LONGEST_TTL) throw etcdError('leaseTtlTooLarge');
    if (!Number.isSafeInteger(id))
      throw new EtcdError(GrpcCode.invalidArgument, 'embedded-etcd: lease ids must be below 2^53');
    if (id !== 0 && this.has(id)) throw etcdError('leaseExists');
    let chosen = id;
    while (chosen === 0 || (id === 0 && this.has(chosen))) chosen = this.#newId();
    const granted = Math.max(ttl, SHORTEST_TTL);
    const lease: Lease = {
      id: chosen,
      ttl: granted,
      keys: new Set(),
      expiresAtMs: this.#clock.elapsed.now() + granted * 1000,
      deadlineKept: true,
    };
    this.#store.write(() =>
      this.#table.save({ id: chosen, ttl: granted, deadline: this.#clock.wall.now() + granted * 1000 }),
    );
    this.#leases.set(chosen, lease);
    this.#schedule(lease.expiresAtMs);
    return { id: chosen, grantedTtl: granted, remainingTtl: granted, keys: [] };
  }

  /** Gives the lease its full time again; answers the seconds, or `undefined` when there is no such lease. */
  renew(id: number): number | undefined {
    const lease = this.#leases.get(id);
    if (lease === undefined) return undefined;
    if (lease.deadlineKept) {
      this.#store.write(() => this.#table.save({ id, ttl: lease.ttl, deadline: null }));
      lease.deadlineKept = false;
    }
    lease.expiresAtMs = this.#clock.elapsed.now() + lease.ttl * 1000;
    return lease.ttl;
  }

  /** Ends the lease and deletes its keys at one revision. @throws EtcdError */
  revoke(id: number): void {
    const lease = this.#leases.get(id);
    if (lease === undefined) throw etcdError('leaseNotFound');
    this.#store.beginTxn();
    for (const key of [...lease.keys].sort()) this.#store.delete(key, `${key}\0`);
    this.#store.endTxn();
    this.#store.write(() => this.#table.delete(id));
    this.#leases.delete(id);
  }

  /** What there is to know of one lease. */
  info(id: number): LeaseInfo | undefined {
    const lease = this.#leases.get(id);
    if (lease === undefined) return undefined;
    const remainingMs = lease.expiresAtMs - this.#clock.elapsed.now();
    if (remainingMs <= 0) return undefined;
    return { id, grantedTtl: lease.ttl, remainingTtl: Math.floor(remainingMs / 1000), keys: [...lease.keys].sort() };
  }

  /** All lease ids, the next to expire first. */
  ids(): number[] {
    return [...this.#leases.values()]
      .sort((left, right) => left.expiresAtMs - right.expiresAtMs)
      .map((lease) => lease.id);
  }

  moved(key: string, before: number, lease: number): void {
    if (before !== 0) this.#leases.get(before)?.keys.delete(key);
    if (lease !== 0) this.#leases.get(lease)?.keys.add(key);
  }

  published(): void {
    // Leases change with the batch, not with its commit.
  }

  reloaded(): void {
    const running = new Map(this.#leases);
    this.#load();
    for (const lease of this.#leases.values())
      lease.expiresAtMs = running.get(lease.id)?.expiresAtMs ?? lease.expiresAtMs;
  }

  /** Stops the timer. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #load(): void {
    this.#leases.clear();
    for (const row of this.#table.all()) this.#leases.set(row.id, this.#fromRow(row));
    for (const record of this.#store.index) if (record.lease !== 0) this.moved(record.key, 0, record.lease);
    let next = Infinity;
    for (const lease of this.#leases.values()) next = Math.min(next, lease.expiresAtMs);
    this.#schedule(next);
  }

  #fromRow(row: LeaseRow): Lease {
    const full = row.ttl * 1000;
    const left = row.deadline === null ? full : Math.min(full, Math.max(0, row.deadline - this.#clock.wall.now()));
    return {
      id: row.id,
      ttl: row.ttl,
      keys: new Set(),
      expiresAtMs: this.#clock.elapsed.now() + left,
      deadlineKept: row.deadline !== null,
    };
  }

  #schedule(atMs: number): void {
    if (atMs >= this.#timerAtMs) return;
    this.#timer?.cancel();
    this.#timerAtMs = atMs;
    this.#timer = this.#clock.elapsed.setTimer(
      () => this.#expire(),
      Math.max(EXPIRY_PAUSE_MS, atMs - this.#clock.elapsed.now()),
    );
  }

  #expire(): void {
    this.#timerAtMs = Infinity;
    const now = this.#clock.elapsed.now();
    let next = Infinity;
    for (const lease of this.#leases.values()) {
      if (lease.expiresAtMs > now) {
        next = Math.min(next, lease.expiresAtMs);
        continue;
      }
      try {
        this.revoke(lease.id);
      } catch {
        // The disk refused the write: the lease is still there and is tried again.
        next = now;
      }
    }
    if (next !== Infinity) this.#schedule(next);
  }
}
