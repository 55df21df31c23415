import { statfsSync } from 'node:fs';
import type { TimerClock } from '@kubechain/apimachinery';

/** Below this, the next write may be the one that finds no room. */
const FULL_BYTES = 1 << 20;
const LOOK_EVERY_MS = 2_000;

/** What unprivileged users may still write to the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the disk of a folder is full, for all that a store needs. */
export function isDiskFull(folder: string, free = freeBytes): boolean {
  return free(folder) < FULL_BYTES;
}

/**
 * Tells when the disk of a folder has become full, and when it has room again, until `signal` aborts: what comes of a
 * full disk, writes that are refused and processes that end, does not say so by itself.
 */
export function watchDisk(
  folder: string,
  tell: (line: string) => void,
  options: { readonly clock: TimerClock; readonly signal: AbortSignal; readonly free?: (folder: string) => number },
): void {
  let full = false;
  const look = (): void => {
    if (options.signal.aborted) return;
    const now = isDiskFull(folder, options.free);
    if (now !== full)
      tell(
        now
          ? `the disk of ${folder} is full: nothing is stored until there is room`
          : `the disk of ${folder} has room again`,
      );
    full = now;
    options.clock.setTimer(look, LOOK_EVERY_MS);
  };
  look();
}
