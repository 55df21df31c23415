import { isStatusError, sleep, type TimerClock } from '@kubechain/apimachinery';

export interface PatienceOptions {
  readonly clock: TimerClock;
  /** How long to wait after each failure, by how many there were before. */
  readonly waitMs: (failures: number) => number;
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

const maxTries = 12;

/** Writes; while the server cannot be reached, twelve times. What it refuses is dropped: it would be refused again. */
export async function writePatiently(
  write: () => Promise<void>,
  { clock, onError, signal, waitMs }: PatienceOptions,
): Promise<void> {
  for (let tries = 0; tries < maxTries && !signal.aborted; tries++) {
    try {
      await write();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error);
      if (isStatusError(error)) return;
      await sleep(clock, waitMs(tries), signal);
    }
  }
}
