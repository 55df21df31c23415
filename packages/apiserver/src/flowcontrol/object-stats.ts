import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** How much of a resource is stored. */
export interface ResourceStats {
  readonly objects: number;
  /** All together; undefined when nobody knows. */
  readonly bytes: number | undefined;
}

/** Stats by `resource.group` (`pods` in the core group). */
export type StatsByResource = ReadonlyMap<string, ResourceStats>;

export interface ObjectStatsOptions {
  /** Reads the stats of everything that the chain serves. */
  readonly read: (signal: AbortSignal) => Promise<StatsByResource>;
  /** One that never goes back. */
  readonly clock: TimerClock;
}

const intervalMs = 60_000;
/** After the start and after a failure; the servers behind may be starting. */
const retryMs = 5_000;
const timeoutMs = 10_000;
/** Two or three failures in a row are no reason to mistrust the last counts. */
const staleAfterMs = 180_000;

/**
 * What is stored of each resource, as lists are estimated by (request/object_count_tracker.go, 1.36). Read once a
 * minute; a resource that is not among what was read, such as those of extension API servers, is not known.
 */
export class ObjectStats {
  readonly #options: ObjectStatsOptions;
  #stats: StatsByResource = new Map();
  #readMs = -Infinity;
  #timer: Timer | undefined;
  #started = false;
  #stopped = false;

  constructor(options: ObjectStatsOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    const next = (delayMs: number): void => {
      this.#timer = this.#options.clock.setTimer(() => {
        void round();
      }, delayMs);
    };
    const round = async (): Promise<void> => {
      const read = await this.read();
      if (this.#stopped) return;
      next(read ? intervalMs : retryMs);
    };
    next(retryMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** Resolves to whether the stats could be read. */
  async read(): Promise<boolean> {
    try {
      this.#stats = await this.#options.read(AbortSignal.timeout(timeoutMs));
      this.#readMs = this.#options.clock.now();
      return true;
    } catch {
      // What was known stays good until it is stale.
      return false;
    }
  }

  /** `stale`: there are some, but nobody knows how many by now. */
  of(apiGroup: string, resource: string): ResourceStats | 'stale' | undefined {
    const stats = this.#stats.get(apiGroup === '' ? resource : `${resource}.${apiGroup}`);
    return stats !== undefined && this.#options.clock.now() - this.#readMs > staleAfterMs ? 'stale' : stats;
  }
}
