import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { StorageInterface } from '../storage/interfaces.ts';
import type { CacheStorage } from './rest-options-getter.ts';
import { Cacher } from '../cacher/cacher.ts';
import type { CacherErrorContext } from '../cacher/cacher.ts';
import type { CacheExtent, CacherDescription } from '../cacher/cacher-description.ts';
import { systemClock } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';

/** What the caches of a process have in common. */
export interface CacherSetOptions {
  /** Where all caches of the process register their metrics. */
  readonly metrics?: MetricRegistry;
  readonly clock?: TimerClock;
  /** From 0 to below 1, for jitter. */
  readonly random?: () => number;
  readonly start?: 'lazy' | 'eager';
  /** Default true: every cache that has changed is compared with its store about every five minutes. */
  readonly consistencyChecks?: boolean;
  /** Told of a cache that differs from its store, before it is read again. */
  readonly onInconsistent?: (error: Error) => void;
  readonly onError?: (error: unknown, context: CacherErrorContext) => void;
}

/** The caches of one process: makes them (StorageWithCacher), and tells about them. */
export class CacherSet {
  readonly #options: CacherSetOptions;
  readonly #cachers = new Set<Cacher>();
  #asksBeginning = true;
  #beganAt: number | undefined;

  constructor(options: CacherSetOptions = {}) {
    this.#options = options;
  }

  /** The decorator to give to `createRESTOptionsGetter`. */
  readonly cacheStorage: CacheStorage = ({ storage, config, keyRoot }) => {
    const { consistencyChecks = true, clock = systemClock } = this.#options;
    this.#noteBeginning(storage);
    const cacher: Cacher = new Cacher({
      ...this.#options,
      consistencyChecks,
      clock,
      storage,
      config,
      keyRoot,
      beganAt: () => (config.isLate === true ? undefined : this.#beganAt),
      onClose: () => this.#cachers.delete(cacher),
    });
    this.#cachers.add(cacher);
    return cacher;
  };

  /** All caches are over one store, whose revision the first of them asks for. */
  #noteBeginning(storage: StorageInterface): void {
    if (!this.#asksBeginning) return;
    this.#asksBeginning = false;
    storage.currentRevision().then(
      (revision) => {
        this.#beganAt = revision;
      },
      // Then watches begin where caches do.
      () => undefined,
    );
  }

  /** How much is in all of them. */
  extent(): CacheExtent {
    let [objects, events, capacity] = [0, 0, 0];
    for (const cacher of this.#cachers) {
      const extent = cacher.extent();
      objects += extent.objects;
      events += extent.events;
      capacity += extent.capacity;
    }
    return { objects, events, capacity };
  }

  /** All caches of the process, by resource. */
  describe(): CacherDescription[] {
    return [...this.#cachers].map((cacher) => cacher.describe()).sort((a, b) => (a.resource < b.resource ? -1 : 1));
  }
}
