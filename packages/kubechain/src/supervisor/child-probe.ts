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
  /**
   * Begins to see how much of the time the child waits for a processor, when an answer is missing: each call of what it
   * returns gives the share (0 to 1) since the call before. Default: none.
   */
  readonly beginStarvation?: () => () => number;
  /** The child would count as stuck by now, had it been given a processor all the while. Told once for each silence. */
  readonly onSpared?: (silence: Silence) => void;
}

/** How long a child has not answered. */
export interface Silence {
  readonly silentMs: number;
  /** What it has waited for a processor of that. */
  readonly starvedMs: number;
}

/** So many times its patience is waited for a child that is given no processor: it may be both starved and stuck. */
const STARVED_PATIENCE = 6;

/**
 * Resolves when a child has stopped answering; to undefined when the signal aborts. Over the channel between parent and
 * child, which no client can fill, so that a busy child is not taken for a stuck one. Counts its own looks instead of
 * time: a parent that did not run itself (a suspended machine) has not looked. A look does not count as far as the
 * child waited for a processor: on a machine that is too busy to run it, another process in its place only has to load
 * as well.
 */
export async function stopsAnswering(
  child: Probed,
  { beginStarvation = () => () => 0, intervalMs, onSpared, patience, signal }: ProbeOptions,
): Promise<Silence | undefined> {
  let looks = 0;
  let starved = 0;
  let starvation = (): number => 0;
  let waiting = false;
  let debugged = false;
  let spared = false;
  while (!signal.aborted) {
    if (!waiting) {
      waiting = true;
      looks = starved = 0;
      spared = false;
      void child.ping().then((answer) => {
        waiting = false;
        debugged = answer.debugged;
      });
    }
    await delay(intervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted || !waiting) continue;
    // Not before an answer is missing: children are asked every second, and answer.
    if (++looks === 1) starvation = beginStarvation();
    starved += starvation();
    if (debugged || looks < patience) continue;
    const silence = { silentMs: looks * intervalMs, starvedMs: Math.round(starved * intervalMs) };
    // What was waited for a moment at a time, as everywhere, gives no further look.
    if (Math.round(looks - starved) >= patience || looks >= STARVED_PATIENCE * patience) return silence;
    if (!spared) onSpared?.(silence);
    spared = true;
  }
  return undefined;
}
