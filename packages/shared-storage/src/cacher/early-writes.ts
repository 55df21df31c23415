import type { ObjectRecord } from '../storage/interfaces.ts';
import type { WatchCache } from './watch-cache.ts';

/**
 * What was written before a cache was first filled, which its window begins after. The reference fills its caches when
 * their resources are served, so that a client can watch from what it has written; here nobody may have read the
 * resource by then, and the store has to tell. So it has of what was written since the process began.
 */
export class EarlyWrites {
  readonly #beganAt: () => number | undefined;
  #first = Infinity;

  /** @param beganAt the store's revision when the process began, once that is known */
  constructor(beganAt: () => number | undefined = () => undefined) {
    this.#beganAt = beganAt;
  }

  /** Takes note of a write of this process; `filled`: whether the cache has been filled by now. */
  note(write: Promise<ObjectRecord>, filled: boolean): Promise<ObjectRecord> {
    return filled
      ? write
      : write.then((record) => {
          this.#first = Math.min(this.#first, record.revision);
          return record;
        });
  }

  /** Whether a watch from a revision begins before the cache, but not before the process or what was written here. */
  begins(revision: number, { floor, listRevision }: Pick<WatchCache, 'floor' | 'listRevision'>): boolean {
    return revision >= Math.min(this.#first, this.#beganAt() ?? Infinity) && revision < floor && floor === listRevision;
  }
}
