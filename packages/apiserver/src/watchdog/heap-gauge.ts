import { limits, type Timer, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '../logging/logger.ts';

const log = new Logger('heap');

/** Between two looks, in ms. */
const lookMs = 1_000;
/** Below this share of the limit nobody need know what of the heap is garbage. */
const followedFrom = 0.5;
/** So much less than what fills it is in use before there is room again. */
const roomBelow = 0.05;
/** So much in use, garbage included, fills it: there may be no time for another collection. */
const urgentFrom = 0.92;
/** A heap that is full is collected after so long without a collection, in ms: what was deleted is room. */
const collectAfterMs = 60_000;
/** So long what a client says of its heap counts, in ms, unless it says it again. */
const clientToldMs = 30_000;

/**
 * How the controllers, which keep what is stored in a heap of their own, say in a request whether that is `full` or has
 * `room`.
 */
export const heapHeader = 'x-kubechain-heap';

/** Bytes in use, garbage included, and how many there may be. */
export interface HeapUse {
  readonly used: number;
  readonly limit: number;
}

/** What a gauge is told by, and how. */
export interface HeapGaugeOptions {
  readonly clock: TimerClock;
  /** Default: of this process, or thread. */
  readonly read?: () => HeapUse;
  /** Calls back behind each full collection until it is stopped. Default: V8's. */
  readonly followCollections?: (collected: () => void) => () => void;
  /** Collects everything. Default: V8 does. */
  readonly collect?: () => void;
}

/**
 * Whether a process has room for more objects. What is stored is in the memory of each server that caches it, or
 * decides by it (roles, quotas, definitions), decoded to many times its bytes: V8 ends a process at the limit of its
 * heap, and one that is started again reads the same. So nothing more is to be stored once what is left of the heap
 * after a collection is more than the limit `heapShare` says, in this process or in one behind it.
 */
export class HeapGauge {
  readonly #clock: TimerClock;
  readonly #read: () => HeapUse;
  readonly #followCollections: NonNullable<HeapGaugeOptions['followCollections']>;
  readonly #collect: () => void;
  readonly #listeners = new Set<(full: boolean) => void>();
  #timer: Timer | undefined;
  #unfollow: (() => void) | undefined;
  /** Share of the limit in use behind the last collection; undefined before the first one that was followed. */
  #live: number | undefined;
  #collectedAt = 0;
  #own = false;
  #behind = false;
  /** Until when a client has no room; 0 when all have, or are silent. */
  #clientUntil = 0;

  constructor({
    clock,
    collect = collectNow,
    followCollections = followMajorCollections,
    read = readHeap,
  }: HeapGaugeOptions) {
    this.#clock = clock;
    this.#read = read;
    this.#followCollections = followCollections;
    this.#collect = collect;
  }

  /** Whether there is no room, here, in a process behind this one or in a client that keeps what is stored. */
  get full(): boolean {
    return this.#own || this.#behind || this.#clientUntil > 0;
  }

  /** Calls back when that has changed, until what it returns is called: servers of one process share a gauge. */
  onChange(listener: (full: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** What the process behind this one says of itself, and of those behind it. */
  tellBehind(full: boolean): void {
    this.#set({ behind: full });
  }

  /** What a client says of its heap that keeps what is stored: that it is full counts for half a minute. */
  tellClient(full: boolean): void {
    if (full && this.#clientUntil === 0) log.warning('no room for more objects in the controllers');
    this.#set({ clientUntil: full ? this.#clock.now() + clientToldMs : 0 });
  }

  /** Looks every second from now on, until it is closed. */
  start(): void {
    this.#timer = this.#clock.setTimer(() => {
      this.#look();
      this.start();
    }, lookMs);
  }

  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#unfollow?.();
    this.#unfollow = undefined;
  }

  #look(): void {
    const share = this.#share();
    if (share < followedFrom) {
      this.#unfollow?.();
      this.#unfollow = undefined;
      this.#live = undefined;
    } else
      this.#unfollow ??= this.#followCollections(() => {
        this.#live = this.#share();
        this.#collectedAt = this.#clock.now();
      });
    const most = limits.heapShare.value / 100 - (this.#own ? roomBelow : 0);
    this.#set({
      own: (this.#live ?? 0) > most || share > urgentFrom,
      clientUntil: this.#clientUntil > this.#clock.now() ? this.#clientUntil : 0,
    });
    if (!this.#own || this.#clock.now() - this.#collectedAt < collectAfterMs) return;
    this.#collectedAt = this.#clock.now();
    this.#collect();
  }

  #share(): number {
    const { limit, used } = this.#read();
    return used / limit;
  }

  #set({
    behind = this.#behind,
    clientUntil = this.#clientUntil,
    own = this.#own,
  }: {
    readonly own?: boolean;
    readonly behind?: boolean;
    readonly clientUntil?: number;
  }): void {
    const before = this.full;
    if (own !== this.#own) log.warning(own ? 'no room for more objects' : 'there is room for objects again');
    this.#own = own;
    this.#behind = behind;
    this.#clientUntil = clientUntil;
    if (this.full !== before) for (const listener of this.#listeners) listener(this.full);
  }
}

/** Bytes that V8 allows the heap of this process, or thread. */
export function heapLimit(): number {
  return readHeap().limit;
}

/** V8 counts room for young objects as part of a heap, which a thread has much of: no others are kept there. */
function readHeap(): HeapUse {
  const { heap_size_limit: whole, used_heap_size: used } = process.getBuiltinModule('node:v8').getHeapStatistics();
  const { resourceLimits } = process.getBuiltinModule('node:worker_threads');
  const youngBytes = (resourceLimits.maxYoungGenerationSizeMb ?? 0) * 2 ** 20;
  return { used, limit: Math.max(whole - youngBytes, whole / 2) };
}

function followMajorCollections(collected: () => void): () => void {
  const { PerformanceObserver, constants } = process.getBuiltinModule('node:perf_hooks');
  const observer = new PerformanceObserver((list) => {
    const collections = list.getEntries() as { readonly detail?: { readonly kind?: number } }[];
    if (collections.some(({ detail }) => detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR)) collected();
  });
  observer.observe({ entryTypes: ['gc'] });
  return () => {
    observer.disconnect();
  };
}

function collectNow(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
  (process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void)();
}
