import { etcdError } from '../errors/etcd-error.ts';

/** etcd's own default: 2 GiB; the table of limits has it as `storedBytes`. */
const DEFAULT_QUOTA_BYTES = 2 * 1024 ** 3;
/**
 * What a key counts beside its bytes: what its place in the memory of a server takes that caches it, and in that of the
 * store, measured on Node 24 with millions of the smallest objects. The table of limits has it as `storedKeyBytes`.
 */
export const KEY_OVERHEAD_BYTES = 768;
/** So much may be asked for before the file is looked at again, in bytes: what is stored besides is small next to it. */
const LOOK_AFTER_BYTES = 1024 * 1024;

/**
 * How much may be stored (etcd 3.6: server/storage/quota.go). Beyond it only what stores nothing is done: deletions,
 * reads and compactions. Everything that is stored is in the memory of each server that caches it, so that without a
 * bound whoever may create one kind of object could take all of the machine's.
 *
 * etcd counts the file with its free pages, and its alarm stays until somebody disarms it. Here pages that compaction
 * has freed do not count, and the next write that has room is made; and each key counts `KEY_OVERHEAD_BYTES` beside its
 * own, so that there are two million of the smallest objects at the most, in place of seven.
 */
export class SpaceQuota {
  /** Infinity where there is no bound. */
  readonly limitBytes: number;
  readonly #used: () => number;
  #seen = 0;
  #askedSince = Infinity;
  #exceeded = false;

  /**
   * @param limit bytes; 0: `DEFAULT_QUOTA_BYTES`; below: no bound. `used` tells the bytes that hold data now, and
   * `KEY_OVERHEAD_BYTES` for each key.
   */
  constructor(limit: number, used: () => number) {
    this.limitBytes = limit === 0 ? DEFAULT_QUOTA_BYTES : limit < 0 ? Infinity : limit;
    this.#used = used;
  }

  /** Whether the last write was refused: etcd's alarm `NOSPACE`. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** Asks to store `bytes`; 0 is always granted. @throws EtcdError `noSpace` */
  take(bytes: number): void {
    if (bytes === 0) return;
    // A key that was there counts twice until the file is looked at again.
    const asked = bytes + KEY_OVERHEAD_BYTES;
    if (this.#exceeded || this.#askedSince + asked >= LOOK_AFTER_BYTES) {
      this.#seen = this.#used();
      this.#askedSince = 0;
    }
    this.#exceeded = this.#seen + this.#askedSince + asked > this.limitBytes;
    if (this.#exceeded) throw etcdError('noSpace');
    this.#askedSince += asked;
  }
}
