import type { StorageInterface } from '../storage/interfaces.ts';
import type { StorageError } from '../storage/errors.ts';
import type { CacherMetrics } from './cacher-metrics.ts';
import { Freshness } from './freshness.ts';
import { ConditionalProgressRequester } from './progress-requester.ts';
import type { SharedRevision } from './shared-revision.ts';
import type { TimerClock } from '@kubechain/apimachinery';

export interface ConsistentReadsOptions {
  readonly clock: TimerClock;
  readonly storage: StorageInterface;
  readonly sharedRevision: SharedRevision;
  readonly metrics: CacherMetrics;
  /** The store is ahead and answers, but its watch did not tell us in time. */
  readonly onSilence: () => void;
}

/** One revision read and the wait that follows it, shared by the requests that came before the read. */
interface Batch {
  readonly revision: Promise<number>;
  readonly reached: Promise<boolean>;
}

/** Lets reads wait until the cache has what they must see. */
export class ConsistentReads {
  readonly #clock: TimerClock;
  readonly #metrics: CacherMetrics;
  readonly #sharedRevision: SharedRevision;
  readonly #progress: ConditionalProgressRequester;
  readonly #freshness: Freshness;
  readonly #onSilence: () => void;
  readonly #storage: StorageInterface;
  /** Once true, it stays so. */
  #supported = false;
  #batch: Batch | undefined;

  constructor(options: ConsistentReadsOptions) {
    const { clock, storage } = options;
    this.#clock = clock;
    this.#storage = storage;
    this.#metrics = options.metrics;
    this.#sharedRevision = options.sharedRevision;
    this.#onSilence = options.onSilence;
    this.#progress = new ConditionalProgressRequester(clock, () => storage.requestWatchProgress());
    this.#freshness = new Freshness(clock, this.#progress);
  }

  /** Reads that wait. */
  get waiting(): number {
    return this.#freshness.waiting;
  }
  /** Revision reads made so far. */
  get revisionReads(): number {
    return this.#sharedRevision.reads;
  }

  /** The cache now contains `revision`. */
  advance(revision: number): void {
    this.#freshness.advance(revision);
  }

  /** Whether the store can be asked how far its watch is. Without that a cache never knows that it has caught up. */
  async supported(): Promise<boolean> {
    this.#supported ||= (await this.#storage.supportsWatchProgress?.()) ?? true;
    return this.#supported;
  }

  /**
   * True as soon as the cache contains all that was in the store when this was called; false when it does not get there
   * in time, or is known not to.
   *
   * @throws StorageError when the store does not tell its revision
   */
  async caughtUp(): Promise<boolean> {
    if (!this.#supported && !(await this.supported())) return false;
    if (this.#freshness.stalled) {
      this.#progress.nudge();
      return false;
    }
    const revision = this.#sharedRevision.current();
    if (this.#batch?.revision !== revision) this.#batch = { revision, reached: this.#followed(revision) };
    return this.#batch.reached;
  }

  /** A revision that the store had after this call. @throws StorageError */
  currentRevision(): Promise<number> {
    return this.#sharedRevision.current();
  }

  /** True as soon as the cache contains `revision`; false when it does not in time. */
  async reached(revision: number): Promise<boolean> {
    const startMs = this.#clock.now();
    const fresh = await this.#freshness.reached(revision);
    this.#metrics.readWaited((this.#clock.now() - startMs) / 1000);
    return fresh;
  }

  /** What to tell a client that asked for more than the cache has; `wanted` as the client wrote it. */
  tooLarge(wanted: string): StorageError {
    return this.#freshness.tooLarge(wanted);
  }

  /** Ends all waits unsuccessfully. */
  stop(): void {
    this.#freshness.stop();
    this.#progress.stop();
  }

  async #followed(revision: Promise<number>): Promise<boolean> {
    const fresh = await this.reached(await revision);
    if (!fresh) this.#onSilence();
    return fresh;
  }
}
