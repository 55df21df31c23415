import { sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';

export interface EveryOptions {
  readonly clock: TimerClock;
  readonly signal: AbortSignal;
  readonly onError?: (error: unknown) => void;
}

/**
 * Calls `action` at once, and again `periodMs` after each end of it (apimachinery's wait.Until). Resolves when `signal`
 * aborts.
 */
export async function every(
  periodMs: number,
  action: () => void | Promise<void>,
  { clock, signal, onError }: EveryOptions,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await action();
    } catch (error) {
      if (!signal.aborted) onError?.(error);
    }
    await sleep(clock, periodMs, signal);
  }
}
