/** What runs until it is stopped. */
export interface RunningPart {
  /** Resolves when it has started; rejects when it ends before. */
  readonly started: Promise<void>;
  /** Resolves when it has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  /** Ends it, and waits. Does not reject: `ended` tells what went wrong. */
  stop(): Promise<void>;
}

/** Begins something that runs until its signal aborts, and says when it has started. */
export function runPart(name: string, run: (signal: AbortSignal, onStarted: () => void) => Promise<void>): RunningPart {
  const stop = new AbortController();
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  const ended = run(stop.signal, resolve);
  ended.then(() => {
    reject(new TypeError(`${name} ended before it had started`));
  }, reject);
  // Whoever waits for the other one hears of it.
  started.catch(() => undefined);
  return {
    started,
    ended,
    stop: async () => {
      stop.abort();
      await ended.catch(() => undefined);
    },
  };
}
