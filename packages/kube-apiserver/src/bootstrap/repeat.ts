import { sleep, type TimerClock } from '@kubechain/apimachinery';

export interface RepeatOptions {
  readonly clock: TimerClock;
  readonly intervalMs: number;
  /** Milliseconds between attempts until the first one succeeds. Default 100. */
  readonly retryMs?: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/**
 * Resolves when `work` has succeeded once, or `signal` aborts; then repeats it in the background until `signal` aborts,
 * one run at a time.
 */
export async function repeat(work: () => Promise<void>, options: RepeatOptions): Promise<void> {
  const { clock, intervalMs, onError, retryMs = 100, signal } = options;
  const run = async (): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!signal.aborted) onError(error);
      return false;
    }
  };
  while (!signal.aborted && !(await run())) await sleep(clock, retryMs, signal);
  void (async () => {
    for (;;) {
      await sleep(clock, intervalMs, signal);
      if (signal.aborted) return;
      await run();
    }
  })();
}
