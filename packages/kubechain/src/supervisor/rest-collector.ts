/** What is known of a process that may be at rest. */
export interface ProcessState {
  /** Time of a processor that it has used since the last look, as a share of that time. */
  readonly load: number;
  /** Bytes that V8 has of the machine for its heap, and what of it is in use, garbage included. */
  readonly heapBytes: number;
  readonly usedBytes: number;
  /** Bytes outside of the heap that objects in it hold. */
  readonly externalBytes: number;
}

/** A process that does less than this is at rest: heartbeats and probes go on. */
const restingLoad = 0.02;
/** In how many looks on end. */
const restingLooks = 2;
/** Nobody is to wait for a collection that is long: 35 MB take 20 to 40 ms. Larger heaps are left to V8's own time. */
const largestUsedBytes = 192 * 1024 * 1024;
/** What has grown by less is not worth a collection. */
const worthBytes = 4 * 1024 * 1024;

/**
 * Has all garbage collected once a process has come to rest, where V8 would leave it until there is more of it: what a
 * start or a burst of requests leaves behind is half of what an idle process holds.
 */
export class RestCollector {
  readonly #collect: () => void;
  readonly #state: () => ProcessState;
  #resting = 0;
  #leftBytes = 0;

  /** @param collect collects all garbage, at once */
  constructor(state: () => ProcessState, collect: () => void) {
    this.#state = state;
    this.#collect = collect;
  }

  /** To be called every few seconds. */
  look(): void {
    const { load, usedBytes, ...held } = this.#state();
    this.#resting = load < restingLoad ? this.#resting + 1 : 0;
    if (this.#resting < restingLooks || usedBytes > largestUsedBytes) return;
    if (held.heapBytes + held.externalBytes < this.#leftBytes + worthBytes) return;
    this.#collect();
    const { heapBytes, externalBytes } = this.#state();
    this.#leftBytes = heapBytes + externalBytes;
  }
}
