import type { Timer } from '@kubechain/apimachinery';
import { Logger, Logging, type LogFormat } from '../logging/logger.ts';
import type { LoopWatchdog, WorkObserver } from './loop-watchdog.ts';
import { machineTimers } from './machine-timers.ts';
import { registerStalls, stallsOf, storeEndAfter, watchdogMemory, type Stalls } from './stall-metrics.ts';
import { ownProcessorFile } from './thread-processor.ts';
import { watchdogSlots, type HeldLoop } from './watch-loop.ts';

/** What is told to the thread that has begun this one, when work begins after a rest. */
export interface WorkBegins {
  readonly kind: 'work';
  /** See `watchdogSlots`. */
  readonly shared: Int32Array;
  /** Of log lines. */
  readonly format: LogFormat;
  /** See `ownProcessorFile`. */
  readonly processorFile: string | undefined;
}

/** Where beats go. */
export interface ThreadBeatsOptions {
  /** Takes it to the other thread at once, past this one's event loop. */
  readonly tell: (message: WorkBegins) => void;
  /** Quarters of a second without work, after which there are no beats; default half a minute of them. */
  readonly restingBeats?: number;
}

const log = new Logger('watchdog');
const beatMs = 250;
const restingBeats = 120;
/** Of a processor in a beat; less is what a thread at rest does. */
const workingMicroseconds = 125_000;

/**
 * The side of a thread that another one watches over (`ThreadWatchdog`), so that no third is needed. It tells that one
 * when work comes, and then adds a beat every quarter of a second, until there was no work for half a minute: at rest
 * neither has a timer.
 */
export class ThreadBeats implements WorkObserver {
  readonly #options: ThreadBeatsOptions;
  readonly #shared = watchdogMemory();
  /** Of the clusters of the thread, by what each of them has started. */
  readonly #loggings = new Map<LoopWatchdog, Logging>();
  #beat: Timer | undefined;
  #processorFile: string | undefined;
  #attended = false;
  #beatsAtRest = 0;
  #usedMicroseconds = 0;

  constructor(options: ThreadBeatsOptions) {
    this.#options = options;
  }

  /**
   * What one of several clusters of the thread starts and stops. What is told is logged as by whoever starts it, until
   * it is stopped, by whomever.
   * @param endAfterMs how long one piece of work may hold the thread before the other one says so, or ends it; 0: as
   *   long as it likes. That of the last one holds for all.
   */
  forCluster(endAfterMs: number): LoopWatchdog {
    storeEndAfter(this.#shared, endAfterMs);
    const watchdog: LoopWatchdog = {
      attend: () => {
        this.attend();
      },
      register: (registry) => {
        registerStalls(registry, this.#shared);
      },
      start: () => {
        this.#loggings.set(watchdog, Logging.current);
        if (this.#attended) this.attend();
      },
      stop: () => {
        this.#loggings.delete(watchdog);
        if (this.#loggings.size === 0 && this.#beat !== undefined) this.#rest();
        return Promise.resolve();
      },
    };
    return watchdog;
  }

  attend(): void {
    this.#attended = true;
    if (this.#beat === undefined && this.#loggings.size > 0) this.#begin();
  }

  /** The other thread has seen that this one goes on. */
  wentOn({ heldMs, stack }: Pick<HeldLoop, 'heldMs' | 'stack'>): void {
    for (const logging of this.#loggings.values())
      logging.run(() => {
        log.warning('the event loop was held', { heldMs, stack });
      });
  }

  get stalls(): Stalls {
    return stallsOf(this.#shared);
  }

  #begin(): void {
    Atomics.store(this.#shared, watchdogSlots.resting, 0);
    Atomics.add(this.#shared, watchdogSlots.beats, 1);
    this.#beatsAtRest = 0;
    this.#usedMicroseconds = usedMicroseconds();
    this.#beat = machineTimers.every(beatMs, () => {
      this.#look();
    });
    const [logging = Logging.current] = this.#loggings.values();
    this.#options.tell({
      kind: 'work',
      shared: this.#shared,
      format: logging.format,
      processorFile: (this.#processorFile ??= ownProcessorFile()),
    });
  }

  #look(): void {
    const used = usedMicroseconds();
    const works = this.#attended || used - this.#usedMicroseconds > workingMicroseconds;
    this.#usedMicroseconds = used;
    this.#attended = false;
    this.#beatsAtRest = works ? 0 : this.#beatsAtRest + 1;
    if (this.#beatsAtRest >= (this.#options.restingBeats ?? restingBeats)) this.#rest();
    else Atomics.add(this.#shared, watchdogSlots.beats, 1);
  }

  /** With the last beat, so that the other thread waits for no other. */
  #rest(): void {
    this.#beat?.cancel();
    this.#beat = undefined;
    Atomics.store(this.#shared, watchdogSlots.resting, 1);
    Atomics.add(this.#shared, watchdogSlots.beats, 1);
  }
}

/** By this thread, since it began. */
function usedMicroseconds(): number {
  const { system, user } = process.threadCpuUsage();
  return system + user;
}
