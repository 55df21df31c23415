/** Time for queues and the timers that go with it; a spec turns its own. */
export interface EventClock {
  /** Milliseconds since the epoch with fractions; never goes back. */
  now(): number;
  /** Calls `event` once, `delayMs` from now, unless the result is called before. Does not keep the process alive. */
  schedule(event: () => void, delayMs: number): () => void;
}

/** The process's monotonic clock. */
export const realClock: EventClock = {
  now: () => performance.timeOrigin + performance.now(),
  schedule: (event, delayMs) => {
    const timer = setTimeout(event, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
