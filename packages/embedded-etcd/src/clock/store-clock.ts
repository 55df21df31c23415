import { monotonicClock, MovableClock, systemClock, type TimerClock } from '@kubechain/apimachinery/movable-clock';

/** The two times of a store. */
export interface StoreClock {
  /** The time of day, which may jump: for what is kept in the data file. */
  readonly wall: TimerClock;
  /** Only goes forward: for deadlines, and the timers that wait for them. */
  readonly elapsed: TimerClock;
}

/** The machine's times, or those of a clock that tests move: leases expire when it has been. */
export function storeClock(clock: TimerClock | undefined): StoreClock {
  if (clock === undefined) return { wall: systemClock, elapsed: monotonicClock };
  if (!(clock instanceof MovableClock)) return { wall: clock, elapsed: clock };
  return {
    wall: clock,
    elapsed: { now: () => clock.elapsedMs(), setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs) },
  };
}
