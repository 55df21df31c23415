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
