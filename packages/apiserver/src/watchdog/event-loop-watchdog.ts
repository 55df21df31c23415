import { url as inspectorURL } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Logging } from '../logging/logger.ts';
import { watchdogSlots, watchdogThread } from './watchdog-thread.ts';

/** How long one piece of work may hold the process. */
export interface EventLoopWatchdogOptions {
  /** Milliseconds that one piece of work may hold the process before this is ended; 0: it never is. */
  readonly endAfterMs: number;
  /** Milliseconds of work that are told in the log and counted; default 1,000. */
  readonly tellAfterMs?: number;
  /** Quarters of a second without work, after which there is no thread; default half a minute of them. */
  readonly restingBeats?: number;
}

/** Small: the thread keeps next to nothing. */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, stackSizeMb: 1 };
const beatMs = 250;
/**
 * Of a processor in a beat; less is what a process at rest does. Not of the time: whoever is not given the processor
 * looks busy all the while.
 */
const workingMicroseconds = 125_000;
/** Without work for so many beats, the thread goes: half a minute. */
const restingBeats = 120;

/** Who wants to know that work has come from outside. */
export interface WorkObserver {
  /** Called before the work, which may take any time. */
  attend(): void;
}

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
export class EventLoopWatchdog implements WorkObserver {
  readonly #options: EventLoopWatchdogOptions;
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(watchdogSlots).length));
  readonly #restingBeats: number;
  #worker: Worker | undefined;
  #beat: NodeJS.Timeout | undefined;
  #attended = false;
  #beatsAtRest = 0;
  #usedMicroseconds = 0;

  constructor(options: EventLoopWatchdogOptions) {
    this.#options = options;
    this.#restingBeats = options.restingBeats ?? restingBeats;
  }

  /** Begins to watch, with a thread from the first work on. It does not keep the process. */
  start(): void {
    if (this.#beat !== undefined) return;
    this.#usedMicroseconds = usedMicroseconds();
    this.#beat = setInterval(() => {
      this.#look();
    }, beatMs);
    this.#beat.unref();
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
    const { endAfterMs, tellAfterMs = 1_000 } = this.#options;
    const workerData = { shared: this.#shared, tellAfterMs, endAfterMs, format: Logging.current.format };
    const program = `(${watchdogThread.toString()})(require('node:worker_threads').workerData, require)`;
    this.#worker = new Worker(program, {
      eval: true,
      name: 'watchdog',
      workerData,
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
  get stalls(): { readonly count: number; readonly totalMs: number } {
    return {
      count: Atomics.load(this.#shared, watchdogSlots.stalls),
      totalMs: Atomics.load(this.#shared, watchdogSlots.stalledMs),
    };
  }

  /** Makes the numbers part of /metrics. */
  register(registry: MetricRegistry): void {
    registry.collected(
      {
        name: 'kubechain_event_loop_stalls_total',
        type: 'counter',
        help: 'Times that one piece of work held the event loop for longer than a second',
      },
      () => [{ value: this.stalls.count, labels: {} }],
    );
    registry.collected(
      {
        name: 'kubechain_event_loop_stalled_seconds_total',
        type: 'counter',
        help: 'Seconds of work that held the event loop for longer than a second',
      },
      () => [{ value: this.stalls.totalMs / 1_000, labels: {} }],
    );
  }

  async stop(): Promise<void> {
    clearInterval(this.#beat);
    this.#beat = undefined;
    await this.#endThread();
  }
}

/** Of the processors, since the process began. */
function usedMicroseconds(): number {
  const { system, user } = process.cpuUsage();
  return system + user;
}
