import type { Clock } from '@kubechain/apimachinery';

/** A timer that has not fired yet. */
export interface Timer {
  /** Idempotent; nothing happens when the timer has fired. */
  cancel(): void;
}

/** A clock that can also wake up its user; tests pass one that they move by hand. */
export interface TimerClock extends Clock {
  /** Calls `callback` once, `delayMs` from now. Pending timers do not keep the process alive. */
  setTimer(callback: () => void, delayMs: number): Timer;
}

class SystemTimer implements Timer {
  readonly #handle: NodeJS.Timeout;
  constructor(callback: () => void, delayMs: number) {
    this.#handle = setTimeout(callback, delayMs).unref();
  }
  cancel(): void {
    clearTimeout(this.#handle);
  }
}

/** The machine's time. */
export const systemClock: TimerClock = {
  now: () => Date.now(),
  setTimer: (callback, delayMs) => new SystemTimer(callback, delayMs),
};
