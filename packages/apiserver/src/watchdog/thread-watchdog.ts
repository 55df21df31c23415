import { url as inspectorURL } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import { stackOfWorker } from './stack-of-worker.ts';
import type { WorkBegins } from './thread-beats.ts';
import { watchdogSlots, watchLoop, type HeldLoop } from './watch-loop.ts';

/** Whom it watches over, and who hears of it. */
export interface ThreadWatchdogOptions {
  readonly worker: Worker;
  /** It was held for longer than is told, and goes on. */
  readonly onWentOn: (held: HeldLoop) => void;
  /** It is held for as long as it may be. Called once for each piece of work. */
  readonly onHeld: (held: HeldLoop) => void;
  /** Milliseconds of work that are told; default 1,000. */
  readonly tellAfterMs?: number;
}

/**
 * Watches over the event loop of a thread from the one that has begun it, as long as that says that it has work
 * (`ThreadBeats`). It tells nothing while a debugger may have stopped the thread, nor while its own thread is held.
 */
export class ThreadWatchdog {
  readonly #options: ThreadWatchdogOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ThreadWatchdogOptions) {
    this.#options = options;
  }

  /** The thread begins to work. */
  work({ shared }: WorkBegins): void {
    if (this.#timer !== undefined) return;
    const { onHeld, onWentOn, tellAfterMs = 1_000, worker } = this.#options;
    this.#timer = watchLoop(
      { shared, slots: watchdogSlots, tellAfterMs },
      {
        cpuMs: ofOtherThreadsMs,
        debugged: () => inspectorURL() !== undefined,
        askForStack: (take) => {
          stackOfWorker(worker, take);
        },
        wentOn: onWentOn,
        held: onHeld,
        rested: () => {
          this.#timer = undefined;
        },
      },
    );
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Of a processor, by all threads of the process but this one. */
function ofOtherThreadsMs(): number {
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  return (all.user + all.system - own.user - own.system) / 1_000;
}
