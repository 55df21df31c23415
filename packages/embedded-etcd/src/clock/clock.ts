/** Time and timers, passed in so that tests decide when a second has passed. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. For times kept in the data file. */
  wallMs(): number;
  /** Milliseconds that only go forward. For deadlines. */
  monotonicMs(): number;
  /** Calls back once after `delayMs`; answers how to cancel. The timer does not keep the process alive. */
  setTimer(delayMs: number, callback: () => void): () => void;
}

/** Node rejects longer timers; whoever waits longer looks again when this one fires. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What moves a store's clock: `MovableClock` of apimachinery. */
export interface MovedClock {
  now(): number;
  elapsedMs(): number;
  setTimer(callback: () => void, delayMs: number): { cancel(): void };
}

/** A store's clock that goes with one that tests move: leases expire when it has been. */
export function clockMovedWith(clock: MovedClock): Clock {
  return {
    wallMs: () => clock.now(),
    monotonicMs: () => clock.elapsedMs(),
    setTimer(delayMs, callback) {
      const timer = clock.setTimer(callback, delayMs);
      return () => {
        timer.cancel();
      };
    },
  };
}

/** The machine's clock. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, LONGEST_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
