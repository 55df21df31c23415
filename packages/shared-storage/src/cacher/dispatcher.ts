import type { CacheEvent } from './cache-event.ts';
import type { CacheWatcher } from './cache-watcher.ts';
import type { EventWindow } from './event-window.ts';
import { TimeBudget } from './time-budget.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery';

/**
 * Ms that full watchers get at least: the same thread writes their sockets, so that without any wait none could make
 * room. Upstream's watchers run beside its dispatcher, and get the time budget alone.
 */
const MIN_GRACE_MS = 10;

export interface DispatcherOptions {
  readonly clock: TimerClock;
  readonly window: EventWindow;
  /** Offers the event to its watchers and pushes those that had no room to `full`. */
  readonly deliver: (event: CacheEvent, position: number, full: CacheWatcher[]) => void;
  /** All events have been dispatched: the source may go on. */
  readonly onIdle: () => void;
}

/**
 * Takes events from the window to the watchers, in order. When watchers are full it pauses for them, for as long as
 * their shared time budget allows, and then closes those that are still full. Meanwhile the cache itself goes on;
 * `backlog` tells the source when to slow down.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #budget: TimeBudget;
  #position = 0;
  #full: CacheWatcher[] = [];
  #timer: Timer | undefined;
  #pausedAtMs = 0;
  #graceMs = 0;
  #running = false;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#budget = new TimeBudget(options.clock);
  }

  /** Window position of the next event. */
  get position(): number {
    return this.#position;
  }
  /** Events that wait because of a pause. */
  get backlog(): number {
    return this.#options.window.end - this.#position;
  }
  get paused(): boolean {
    return this.#full.length > 0;
  }

  /** Dispatches what there is. */
  run(): void {
    if (this.#running) return;
    this.#running = true;
    const { window, deliver } = this.#options;
    let hadWork = false;
    while (this.#full.length === 0 && this.#position < window.end) {
      hadWork = true;
      const position = this.#position++;
      deliver(window.at(position), position, this.#full);
      if (this.#full.length > 0) this.#pause();
    }
    this.#running = false;
    // Without a pause there is nothing left.
    if (hadWork && this.#full.length === 0) this.#options.onIdle();
  }

  /** A watcher that was full has room or is gone. */
  roomAgain(watcher: CacheWatcher): void {
    const index = this.#full.indexOf(watcher);
    if (index < 0) return;
    this.#full.splice(index, 1);
    if (this.#full.length > 0) return;
    this.#budget.returnUnused(this.#graceMs - (this.#options.clock.now() - this.#pausedAtMs));
    this.#graceMs = 0;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.run();
  }

  /** Skips what has not been dispatched: the watchers it was for are gone. */
  reset(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#full = [];
    this.#position = this.#options.window.end;
  }

  #pause(): void {
    this.#graceMs = this.#budget.takeAvailable();
    this.#pausedAtMs = this.#options.clock.now();
    // Sockets that became writable while we were busy are seen in the next turn of the loop.
    this.#timer = this.#options.clock.setTimer(
      () => setImmediate(this.#closeFull),
      Math.max(MIN_GRACE_MS, this.#graceMs),
    );
  }

  readonly #closeFull = (): void => {
    this.#timer = undefined;
    for (const watcher of this.#full.slice()) {
      if (watcher.isFull) watcher.terminate({ kind: 'slow' });
      else this.roomAgain(watcher);
    }
  };
}
