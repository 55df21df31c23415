import type { TimerClock } from './timer-clock.ts';

/** Resolves after `delayMs` of the clock's time, or at once when `signal` aborts; never rejects. */
export function sleep(clock: TimerClock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const timer = clock.setTimer(end, delayMs);
    function end(): void {
      timer.cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    }
    signal?.addEventListener('abort', end, { once: true });
  });
}
