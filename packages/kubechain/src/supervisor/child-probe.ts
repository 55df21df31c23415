import { setTimeout as delay } from 'node:timers/promises';

/** Whom a probe asks. */
export interface Probed {
  /** Resolves when the child has answered from its event loop. */
  ping(): Promise<PingAnswer>;
}

export interface PingAnswer {
  /** Whether a debugger may hold the child. */
  readonly debugged: boolean;
}

export interface ProbeOptions {
  /** Between two looks. */
  readonly intervalMs: number;
  /** Looks in a row at which the answer was still missing, after which the child counts as stuck. */
  readonly patience: number;
  /** Aborts when there is nobody left to ask. */
  readonly signal: AbortSignal;
}

/**
 * Resolves to true when a child has stopped answering, to false when the signal aborts. Over the channel between
 * parent and child, which no client can fill, so that a busy child is not taken for a stuck one. Counts its own looks
 * instead of time: a parent that did not run itself (a suspended machine) has not looked.
 */
export async function stopsAnswering(child: Probed, { intervalMs, patience, signal }: ProbeOptions): Promise<boolean> {
  let missed = 0;
  let waiting = false;
  let debugged = false;
  while (!signal.aborted) {
    if (!waiting) {
      waiting = true;
      void child.ping().then((answer) => {
        waiting = false;
        missed = 0;
        debugged = answer.debugged;
      });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    if (waiting && ++missed > patience && !debugged) return !signal.aborted;
  }
  return false;
}
