import { readFileSync } from 'node:fs';

/** How long a thread had a processor, and how long it has waited for one while it had work. */
export interface ThreadTurns {
  readonly ranMs: number;
  readonly waitedMs: number;
}

/**
 * Of the calling thread, since it began (Linux' `schedstat`, whose first two numbers are these in nanoseconds); 0 where
 * the system does not tell.
 */
export function turnsOfThread(): ThreadTurns {
  try {
    return turnsIn('/proc/thread-self/schedstat');
  } catch {
    return { ranMs: 0, waitedMs: 0 };
  }
}

/**
 * What a file of Linux' schedstat tells; it counts time of waiting once that is over.
 * @throws Error where there is no such file
 */
export function turnsIn(schedstat: string): ThreadTurns {
  const [ran = 0, waited = 0] = readFileSync(schedstat, 'latin1').split(' ').map(Number);
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 };
}
