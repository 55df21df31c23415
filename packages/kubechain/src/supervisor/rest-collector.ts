/** What is known of a process that may be at rest. */
export interface ProcessState {
  /** Time of a processor that it has used since the last look, as a share of that time. */
  readonly load: number;
  /** Milliseconds since the last look that this thread had a processor, and that it waited for one while it had work. */
  readonly ranMs: number;
  readonly waitedMs: number;
  /** Bytes that V8 has of the machine for its heap, and what of it is in use, garbage included. */
  readonly heapBytes: number;
  readonly usedBytes: number;
  /** Bytes outside of the heap that objects in it hold. */
  readonly externalBytes: number;
  /** Bytes of the machine's memory that the process has. */
  readonly residentBytes: number;
}

/** What a process can do about its memory, each at once. */
export interface MemoryCare {
  /** Collects all garbage. */
  collect(): void;
  /** Gives the machine back what is free. */
  giveBack(): void;
}

/** A process that does less than this is at rest: heartbeats and probes go on. */
const restingLoad = 0.02;
/**
 * Where the thread waits longer for a processor, as a multiple of the time that it has one, the machine is busy: what
 * holds the thread then holds it for many times as long. At a load of seven for each processor it is 3 to 200.
 */
const mostWaited = 2;
/** In how many looks on end, each with a machine that is not busy. */
const restingLooks = 2;
/** In how many on a busy one: who has asked for nothing for half a minute hardly does just now. */
const restingLooksWhenBusy = 15;
/** Nobody is to wait for a collection that is long: 35 MB take 20 to 40 ms. Larger heaps are left to V8's own time. */
const largestUsedBytes = 192 * 1024 * 1024;
/** What has grown by less is not worth a collection. */
const worthBytes = 4 * 1024 * 1024;

/**
 * Has all garbage collected once a process has come to rest, where V8 would leave it until there is more of it, and
 * what is free then given back: what a start or a burst of requests leaves behind is half of what an idle process
 * holds. Both hold the thread, and are done again only when as much has come that it is worth it.
 */
export class RestCollector {
  readonly #care: MemoryCare;
  readonly #state: () => ProcessState;
  #resting = 0;
  #restingWithRoom = 0;
  #leftBytes = 0;
  #leftResidentBytes = 0;

  constructor(state: () => ProcessState, care: MemoryCare) {
    this.#state = state;
    this.#care = care;
  }

  /** To be called every few seconds. */
  look(): void {
    const state = this.#state();
    const rests = state.load < restingLoad;
    const busy = state.waitedMs > mostWaited * state.ranMs;
    this.#resting = rests ? this.#resting + 1 : 0;
    this.#restingWithRoom = rests && !busy ? this.#restingWithRoom + 1 : 0;
    if (this.#restingWithRoom < restingLooks && this.#resting < restingLooksWhenBusy) return;
    const collects = state.usedBytes <= largestUsedBytes && heldBytes(state) >= this.#leftBytes + worthBytes;
    if (!collects && state.residentBytes < this.#leftResidentBytes + worthBytes) return;
    if (collects) this.#care.collect();
    this.#care.giveBack();
    const left = this.#state();
    this.#leftResidentBytes = left.residentBytes;
    if (collects) this.#leftBytes = heldBytes(left);
  }
}

function heldBytes({ externalBytes, heapBytes }: ProcessState): number {
  return heapBytes + externalBytes;
}
