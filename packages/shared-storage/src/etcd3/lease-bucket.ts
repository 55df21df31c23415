import { systemClock } from '@kubechain/apimachinery';
import type { CallOptions, EtcdClient } from '../etcd-client/etcd-client.ts';

export interface LeaseBucketOptions {
  /** How long one lease is handed out (`--lease-reuse-duration-seconds`, upstream 60). */
  readonly reuseDurationSeconds?: number;
  /** How many objects one lease may carry (upstream 1000): expiry of a lease deletes them all at once. */
  readonly maxObjects?: number;
  /** Told how many objects were to share a lease when another takes its place. */
  readonly onReplaced?: ((objects: number) => void) | undefined;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

/** A lease is reused for at most this share of the TTL, so that short TTLs are not stretched much. */
const reuseShare = 0.05;

/**
 * Hands out leases for objects with a TTL; objects written within the reuse time share one.
 * An object lives at least its TTL and at most the reuse time longer (etcd3/lease_manager.go).
 */
export class LeaseBucket {
  readonly #client: EtcdClient;
  readonly #reuseDurationSeconds: number;
  readonly #maxObjects: number;
  readonly #onReplaced: ((objects: number) => void) | undefined;
  readonly #now: () => number;
  #id = 0n;
  #expiresMs = 0;
  #objects = 0;
  #granting: Promise<bigint> | undefined;

  constructor(client: EtcdClient, options: LeaseBucketOptions = {}) {
    this.#client = client;
    this.#reuseDurationSeconds = options.reuseDurationSeconds ?? 60;
    this.#maxObjects = options.maxObjects ?? 1000;
    this.#onReplaced = options.onReplaced;
    this.#now = options.now ?? (() => systemClock.now());
  }

  /** A lease under which a key lives at least `ttlSeconds`. @throws EtcdError */
  async lease(ttlSeconds: number, options?: CallOptions): Promise<bigint> {
    const reuseSeconds = Math.min(Math.floor(reuseShare * ttlSeconds), this.#reuseDurationSeconds);
    // Those who come while a lease is being granted share it, as they would a moment later.
    for (let granting = this.#granting; granting !== undefined; granting = this.#granting) {
      // Whoever asked for it is told of a failure; these ask for one of their own.
      await granting.catch(() => undefined);
    }
    const now = this.#now();
    const longEnough = now + ttlSeconds * 1000 < this.#expiresMs;
    const notTooLong = now + (ttlSeconds + reuseSeconds) * 1000 >= this.#expiresMs;
    this.#objects++;
    if (longEnough && notTooLong && this.#objects <= this.#maxObjects) return this.#id;
    const grantSeconds = ttlSeconds + reuseSeconds;
    const lease = this.#client.leaseGrant(grantSeconds, options);
    this.#granting = lease;
    try {
      this.#id = await lease;
      this.#expiresMs = now + grantSeconds * 1000;
      this.#onReplaced?.(this.#objects);
      this.#objects = 1;
      return this.#id;
    } finally {
      this.#granting = undefined;
    }
  }

  /**
   * etcd does not know the lease any more (it was revoked, or etcd restored from a backup): the next object gets
   * another.
   */
  forget(id: bigint): void {
    if (this.#id === id) this.#expiresMs = 0;
  }
}
