import { createHash } from 'node:crypto';
import type { ListResult, ObjectRecord, StorageInterface } from '../storage/interfaces.ts';
import { StorageError } from '../storage/errors.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** Time between two checks, to which up to half is added at random (ConsistencyCheckPeriod of delegator.go, 1.36). */
const PERIOD_MS = 5 * 60_000;
const PAGE_SIZE = 10_000;

/** One object as far as the check looks at it: key and revision name its content. */
export interface CheckedObject {
  readonly key: string;
  readonly revision: number;
}

/** What a check found. `difference` is the first place where cache and store part. */
export type ConsistencyResult =
  | { readonly kind: 'consistent'; readonly resourceVersion: string; readonly objects: number; readonly digest: string }
  | {
      readonly kind: 'inconsistent';
      readonly resourceVersion: string;
      readonly cacheDigest: string;
      readonly storeDigest: string;
      readonly difference: {
        readonly index: number;
        readonly cached: CheckedObject | undefined;
        readonly stored: CheckedObject | undefined;
      };
    };

export interface ConsistencyCheckerOptions {
  /** The cache, as clients read it. */
  readonly cache: StorageInterface;
  readonly storage: StorageInterface;
  /** Key prefix of the resource, ending in '/'. */
  readonly prefix: string;
  readonly clock: TimerClock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Whether there is anything new to check; an idle cache is left alone. */
  readonly due: () => boolean;
  readonly onResult: (result: ConsistencyResult) => void;
  /** The check itself could not be made: cache or store did not answer, or that revision is gone. */
  readonly onError: (error: unknown) => void;
}

/**
 * Compares a cache with its store at one revision, now and then. A difference is a bug, never a consequence of load.
 */
export class ConsistencyChecker {
  readonly #options: ConsistencyCheckerOptions;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: ConsistencyCheckerOptions) {
    this.#options = options;
  }

  /** Checks from time to time until stopped. */
  start(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = this.#options.clock.setTimer(
      () => {
        this.#running = (this.#options.due() ? this.#report() : Promise.resolve()).finally(() => {
          this.#timer = undefined;
          this.#running = undefined;
          this.start();
        });
      },
      PERIOD_MS * (1 + this.#options.random() / 2),
    );
  }

  /** Resolves when no check is under way any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  /**
   * One check, now: everything the cache has, against the store at the same revision.
   *
   * @throws StorageError what cache or store answered
   */
  async check(): Promise<ConsistencyResult> {
    const { cache, storage, prefix } = this.#options;
    const cached = await cache.getList(prefix, { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' });
    const { resourceVersion } = cached;
    const cacheDigest = new Digest();
    cacheDigest.add(cached.items);
    const storeDigest = new Digest();
    let index = 0;
    let difference: { index: number; cached: CheckedObject | undefined; stored: CheckedObject | undefined } | undefined;
    let page: ListResult | undefined;
    do {
      page = await storage.getList(
        prefix,
        page === undefined
          ? { resourceVersion, resourceVersionMatch: 'Exact', limit: PAGE_SIZE }
          : { continue: page.continue, limit: PAGE_SIZE },
      );
      storeDigest.add(page.items);
      for (const stored of page.items) {
        const ours = cached.items[index];
        if (difference === undefined && (ours?.key !== stored.key || ours.revision !== stored.revision))
          difference = { index, cached: named(ours), stored: named(stored) };
        index++;
      }
    } while (page.continue !== '');
    if (page.resourceVersion !== resourceVersion)
      throw new StorageError(
        'Internal',
        `the store listed revision ${page.resourceVersion} instead of ${resourceVersion}`,
        { key: prefix },
      );
    if (difference === undefined && cached.items.length > index)
      difference = { index, cached: named(cached.items[index]), stored: undefined };
    const digest = cacheDigest.toString();
    if (difference === undefined) return { kind: 'consistent', resourceVersion, objects: index, digest };
    return {
      kind: 'inconsistent',
      resourceVersion,
      cacheDigest: digest,
      storeDigest: storeDigest.toString(),
      difference,
    };
  }

  async #report(): Promise<void> {
    try {
      this.#options.onResult(await this.check());
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

class Digest {
  readonly #hash = createHash('sha256');

  add(records: readonly ObjectRecord[]): void {
    for (const { key, revision } of records) this.#hash.update(`${key}\0${revision}\n`);
  }

  toString(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }
}

function named(record: ObjectRecord | undefined): CheckedObject | undefined {
  return record === undefined ? undefined : { key: record.key, revision: record.revision };
}
