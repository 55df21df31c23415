import type { Timer, TimerClock } from '@kubechain/apimachinery';

/** Calls when the chain's clock shows a time, at once when it is over. Timers go on while the clock stands still. */
export function atTime(clock: TimerClock, atMs: number, call: () => void): Timer {
  let timer: Timer | undefined = undefined;
  const look = (): void => {
    const leftMs = atMs - clock.now();
    if (leftMs <= 0) call();
    else timer = clock.setTimer(look, leftMs);
  };
  look();
  return { cancel: () => timer?.cancel() };
}
