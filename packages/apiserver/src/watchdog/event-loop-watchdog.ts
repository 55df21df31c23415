import { url as inspectorURL } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { Timer } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logging } from '../logging/logger.ts';
import type { LoopWatchdog } from './loop-watchdog.ts';
import { machineTimers } from './machine-timers.ts';
import { stackText } from './stack-text.ts';
import { registerStalls, stallsOf, storeEndAfter, watchdogMemory, type Stalls } from './stall-metrics.ts';
import { watchdogSlots, watchLoop } from './watch-loop.ts';
import { watchdogThread, type WatchdogThreadOptions } from './watchdog-thread.ts';

/** How long one piece of work may hold the process. */
export interface EventLoopWatchdogOptions {
  /** Milliseconds that one piece of work may hold the process before this is ended; 0: it never is. */
  readonly endAfterMs: number;
  /** Milliseconds of work that are told in the log and counted; default 1,000. */
  readonly tellAfterMs?: number;
  /** Quarters of a second without work, after which there is no thread; default half a minute of them. */
  readonly restingBeats?: number;
}

/**
 * Small: the thread keeps next to nothing. With 8 MB for its old generation, of which Node takes 5, V8 collected again
 * and again as it began: 80 to 106 ms of a processor instead of 52 to 76 on a busy machine, for half a megabyte less.
 */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32, stackSizeMb: 1 };
const beatMs = 250;
/**
 * Of a processor in a beat; less is what a process at rest does. Not of the time: whoever is not given the processor
 * looks busy all the while.
 */
const workingMicroseconds = 125_000;
/** Without work for so many beats, the thread goes: half a minute. */
const restingBeats = 120;

/**
 * Watches over the event loop from a thread of its own, which no busy loop can stop: tells what held the loop for
 * longer than a second, with the JavaScript stack, and ends the process when that goes on for too long, so that
 * whoever supervises it starts it again. It does not end one that had no processor (a suspended machine, a busy one),
 * nor one that a debugger may have stopped.
 *
 *     attend, or a busy loop ──► a thread ──► half a minute without either ──► no thread
 *
 * A thread takes 5 to 8 MB and 50 ms of a processor, so that a process at rest has none. Whoever takes in work that
 * can hold the loop says so before, since the loop cannot begin a thread once it is held; the thread needs nothing of
 * the loop to begin.
 */
export class EventLoopWatchdog implements LoopWatchdog {
  readonly #options: EventLoopWatchdogOptions;
  readonly #shared = watchdogMemory();
  readonly #restingBeats: number;
  #worker: Worker | undefined;
  #beat: Timer | undefined;
  #attended = false;
  #beatsAtRest = 0;
  #usedMicroseconds = 0;

  constructor(options: EventLoopWatchdogOptions) {
    this.#options = options;
    this.#restingBeats = options.restingBeats ?? restingBeats;
    storeEndAfter(this.#shared, options.endAfterMs);
  }

  start(): void {
    if (this.#beat !== undefined) return;
    this.#usedMicroseconds = usedMicroseconds();
    this.#beat = machineTimers.every(beatMs, () => {
      this.#look();
    });
    if (this.#attended) this.#beginThread();
  }

  attend(): void {
    this.#attended = true;
    if (this.#worker === undefined && this.#beat !== undefined) this.#beginThread();
  }

  #look(): void {
    Atomics.store(this.#shared, watchdogSlots.debugged, inspectorURL() === undefined ? 0 : 1);
    Atomics.add(this.#shared, watchdogSlots.beats, 1);
    const used = usedMicroseconds();
    if (used - this.#usedMicroseconds > workingMicroseconds) this.attend();
    this.#usedMicroseconds = used;
    this.#beatsAtRest = this.#attended ? 0 : this.#beatsAtRest + 1;
    this.#attended = false;
    if (this.#worker !== undefined && this.#beatsAtRest >= this.#restingBeats) void this.#endThread();
  }

  #beginThread(): void {
    const { tellAfterMs = 1_000 } = this.#options;
    const { format } = Logging.current;
    const workerData = { shared: this.#shared, slots: watchdogSlots, tellAfterMs, format };
    const tools = `{ require, text: ${stackText.toString()}, watch: ${watchLoop.toString()} }`;
    const program = `(${watchdogThread.toString()})(require('node:worker_threads').workerData, ${tools})`;
    this.#worker = new Worker(program, {
      eval: true,
      name: 'watchdog',
      workerData: workerData satisfies WatchdogThreadOptions,
      execArgv: [],
      env: {},
      resourceLimits: threadLimits,
    });
    this.#worker.unref();
    // Without it the process goes on as it would have without a watchdog.
    this.#worker.on('error', () => undefined);
  }

  async #endThread(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** How often the loop was held, and for how long together. */
  get stalls(): Stalls {
    return stallsOf(this.#shared);
  }

  register(registry: MetricRegistry): void {
    registerStalls(registry, this.#shared);
  }

  async stop(): Promise<void> {
    this.#beat?.cancel();
    this.#beat = undefined;
    await this.#endThread();
  }
}

/** By this thread, since it began: others of the process (the side server, the collector of garbage) are no loop. */
function usedMicroseconds(): number {
  const { system, user } = process.threadCpuUsage();
  return system + user;
}
