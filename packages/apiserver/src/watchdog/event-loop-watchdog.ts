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
}

/** Small: the thread keeps next to nothing. */
const threadLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 8, stackSizeMb: 1 };
const beatMs = 250;

/**
 * Watches over the event loop from a thread of its own, which no busy loop can stop: tells what held the loop for
 * longer than a second, with the JavaScript stack, and ends the process when that goes on for too long, so that
 * whoever supervises it starts it again. It does not end one that had no processor (a suspended machine, a busy one),
 * nor one that a debugger may have stopped.
 */
export class EventLoopWatchdog {
  readonly #options: EventLoopWatchdogOptions;
  readonly #shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(watchdogSlots).length));
  #worker: Worker | undefined;
  #beat: NodeJS.Timeout | undefined;

  constructor(options: EventLoopWatchdogOptions) {
    this.#options = options;
  }

  /** Begins to watch. It does not keep the process. */
  start(): void {
    if (this.#worker !== undefined) return;
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
    this.#beat = setInterval(() => {
      Atomics.store(this.#shared, watchdogSlots.debugged, inspectorURL() === undefined ? 0 : 1);
      Atomics.add(this.#shared, watchdogSlots.beats, 1);
    }, beatMs);
    this.#beat.unref();
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
    await this.#worker?.terminate();
    this.#worker = undefined;
  }
}
