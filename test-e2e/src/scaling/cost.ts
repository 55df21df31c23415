import { setImmediate } from 'node:timers/promises';

/** What a run took of this thread's processor time, in ms. */
export interface Cost {
  readonly totalMs: number;
  /** The longest that the event loop was held by one piece of it. */
  readonly heldMs: number;
}

/** Measures work that may yield; whatever it rejects with is passed on. Waiting, and other threads, do not count. */
export async function costOf(work: () => unknown): Promise<Cost> {
  const started = threadMs();
  let turn = started;
  let heldMs = 0;
  const look = (): void => {
    const now = threadMs();
    heldMs = Math.max(heldMs, now - turn);
    turn = now;
  };
  let done = false;
  // Between two turns of the loop, others are served.
  const turns = (async (): Promise<void> => {
    while (!done) {
      await setImmediate();
      look();
    }
  })();
  try {
    const result = work();
    if (result instanceof Promise) await result;
  } finally {
    look();
    done = true;
  }
  const totalMs = threadMs() - started;
  await turns;
  return { totalMs, heldMs };
}

function threadMs(): number {
  const { system, user } = process.threadCpuUsage();
  return (system + user) / 1000;
}
