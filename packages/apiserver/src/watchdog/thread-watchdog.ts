import { url as inspectorURL } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import type { Timer } from '@kubechain/apimachinery';
import { machineTimers, type LoopTimers } from './machine-timers.ts';
import { stackOfWorker } from './stack-of-worker.ts';
import { processorMs } from './thread-processor.ts';
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
  /**
   * Whether it may be interrupted for its stack now. It stands still then until the event loop of this thread comes to
   * let it go on: whoever waits for it here without that loop (`execFileSync`) would wait for ever. Default: never.
   */
  readonly mayInterrupt?: () => boolean;
  /**
   * Milliseconds of a processor that it used since some moment. Default: as Linux counts them; on other systems, what
   * all threads but this one used.
   */
  readonly cpuMs?: () => number;
  /** Default: the machine's. */
  readonly timers?: LoopTimers;
}

/**
 * Watches over the event loop of a thread from the one that has begun it, as long as that says that it has work
 * (`ThreadBeats`). It tells nothing while a debugger may have stopped the thread, nor while its own thread is held, and
 * asks for no stack of a thread that waits for a processor.
 */
export class ThreadWatchdog {
  readonly #options: ThreadWatchdogOptions;
  #timer: Timer | undefined;

  constructor(options: ThreadWatchdogOptions) {
    this.#options = options;
  }

  /** The thread begins to work. */
  work({ processorFile, shared }: WorkBegins): void {
    if (this.#timer !== undefined) return;
    const { onHeld, onWentOn, tellAfterMs = 1_000, worker } = this.#options;
    // A thread that is gone works no more.
    const ofThreadMs = processorFile === undefined ? ofOtherThreadsMs : () => processorMs(processorFile) ?? 0;
    const { cpuMs = ofThreadMs, mayInterrupt = (): boolean => false, timers = machineTimers } = this.#options;
    const debugged = (): boolean => inspectorURL() !== undefined;
    this.#timer = watchLoop(
      { shared, slots: watchdogSlots, tellAfterMs },
      {
        ...timers,
        cpuMs,
        debugged,
        mayInterrupt: (held) => held.cpuMs >= held.heldMs / 2 && !debugged() && mayInterrupt(),
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
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}

/** Of a processor, by all threads of the process but this one. */
function ofOtherThreadsMs(): number {
  const all = process.cpuUsage();
  const own = process.threadCpuUsage();
  return (all.user + all.system - own.user - own.system) / 1_000;
}
