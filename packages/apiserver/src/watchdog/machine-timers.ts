import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import type { Timer } from '@kubechain/apimachinery';

/** What looks are timed by. */
export interface LoopTimers {
  /** Milliseconds of a clock that does not go back. */
  nowMs(): number;
  /** Calls `look` every so many milliseconds, until it is cancelled. */
  every(intervalMs: number, look: () => void): Timer;
}

/** As they are when this is loaded: a test may put others in the place of globals, and of the modules' members, later. */
const { clearInterval, setInterval } = timers;
const nowMs = performance.now.bind(performance);

/** Those of the machine, whatever time it is for a test of this process. They do not keep it alive. */
export const machineTimers: LoopTimers = {
  nowMs,
  every: (intervalMs, look) => {
    const timer = setInterval(look, intervalMs);
    timer.unref();
    return {
      cancel: () => {
        clearInterval(timer);
      },
    };
  },
};
