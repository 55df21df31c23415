import { setTimeout as delay } from 'node:timers/promises';

export interface RepeatOptions {
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
  const { intervalMs, onError, retryMs = 100, signal } = options;
  const run = async (): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!signal.aborted) onError(error);
      return false;
    }
  };
  while (!signal.aborted && !(await run())) await sleep(retryMs, signal);
  void (async () => {
    for (;;) {
      await sleep(intervalMs, signal);
      if (signal.aborted) return;
      await run();
    }
  })();
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal, ref: false });
  } catch {
    // The server stops.
  }
}
