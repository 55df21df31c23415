import type { Clock } from '../meta/time.ts';

/** A timer that has not fired yet. */
export interface Timer {
  /** Idempotent; nothing happens when the timer has fired. */
  cancel(): void;
}

/** A clock that can also wake up its user; specs pass one that they move by hand (`FakeClock`). */
export interface TimerClock extends Clock {
  /** Calls `callback` once, `delayMs` from now. Pending timers do not keep the process alive. */
  setTimer(callback: () => void, delayMs: number): Timer;
  /**
   * Of clocks that are moved (`MovableClock`): before timers fire that a move has made due, what `listener` does is
   * waited for. For what would have gone on meanwhile. All listeners are called at once, with the time before,
   * which is later than now where the clock was set back.
   */
  onMoved?(listener: (beforeMs: number) => Promise<void> | void, signal: AbortSignal): void;
}

/** The platform takes longer delays for none. */
const longestMs = 2 ** 31 - 1;

class SystemTimer implements Timer {
  #handle: NodeJS.Timeout;
  constructor(callback: () => void, delayMs: number) {
    const wait = (leftMs: number): NodeJS.Timeout =>
      (leftMs <= longestMs
        ? setTimeout(callback, leftMs)
        : setTimeout(() => (this.#handle = wait(leftMs - longestMs)), longestMs)
      ).unref();
    this.#handle = wait(delayMs);
  }
  cancel(): void {
    clearTimeout(this.#handle);
  }
}

function setTimer(callback: () => void, delayMs: number): Timer {
  return new SystemTimer(callback, delayMs);
}

/** The machine's time; may jump when it is set. For times that are shown or compared with those of others. */
export const systemClock: TimerClock = { now: () => Date.now(), setTimer };

/** The time of this process, with fractions; never goes back, and may drift from the machine's. For durations. */
export const monotonicClock: TimerClock = { now: () => performance.timeOrigin + performance.now(), setTimer };
