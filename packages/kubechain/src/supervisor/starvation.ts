import type { ThreadOfProcess } from './process-threads.ts';

export interface StarvationOptions {
  /** Undefined where the system does not tell. */
  readonly threads: () => ReadonlyMap<string, ThreadOfProcess> | undefined;
  /** Milliseconds since some moment. */
  readonly nowMs: () => number;
}

/** A thread when it was looked at. */
interface Looked extends ThreadOfProcess {
  /** When what it has had of processors was first seen to be this. */
  readonly sinceMs: number;
}

/**
 * Sees how much of the time a process could have run and was given no processor: as the one of its threads that has
 * waited most. A stopped or blocked process waits for none, and neither does one that runs without an end.
 */
export class Starvation {
  readonly #options: StarvationOptions;
  #lookedAtMs: number | undefined;
  #threads = new Map<string, Looked>();

  constructor(options: StarvationOptions) {
    this.#options = options;
  }

  /** The share (0 to 1) of the time since the last look; 0 at the first, and where the system does not tell. */
  look(): number {
    const { nowMs, threads } = this.#options;
    const now = nowMs();
    const passedMs = now - (this.#lookedAtMs ?? now);
    const looked = new Map<string, Looked>();
    let mostMs = 0;
    for (const [id, thread] of threads() ?? []) {
      const before = this.#threads.get(id);
      const isSame = before?.ranMs === thread.ranMs && before.waitedMs === thread.waitedMs;
      const at = { ...thread, sinceMs: isSame ? before.sinceMs : now };
      looked.set(id, at);
      if (before === undefined || this.#lookedAtMs === undefined) continue;
      mostMs = Math.max(mostMs, waitedMs(at, now) - waitedMs(before, this.#lookedAtMs));
    }
    this.#lookedAtMs = now;
    this.#threads = looked;
    return passedMs > 0 ? Math.min(1, mostMs / passedMs) : 0;
  }
}

/** With what the system has not counted yet, because it goes on: nothing of a thread changes while it waits. */
function waitedMs({ isRunnable, sinceMs, waitedMs: counted }: Looked, atMs: number): number {
  return counted + (isRunnable ? atMs - sinceMs : 0);
}
