import { systemClock, type Timer, type TimerClock } from '@kubechain/apimachinery';

interface Pending {
  readonly dueMs: number;
  readonly fire: () => void;
  timer: Timer;
}

/** The machine's time and what it was put on by: goes on by itself, and jumps when a test says so. */
export class MovableClock implements TimerClock {
  #aheadMs = 0;
  readonly #pending = new Set<Pending>();

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const fire = (): void => {
      this.#pending.delete(pending);
      callback();
    };
    const pending: Pending = { dueMs: this.now() + delayMs, fire, timer: systemClock.setTimer(fire, delayMs) };
    this.#pending.add(pending);
    return {
      cancel: () => {
        this.#pending.delete(pending);
        pending.timer.cancel();
      },
    };
  }

  /** Puts the clock on; timers that are then due fire at once. */
  putOn(ms: number): void {
    this.#aheadMs += ms;
    for (const pending of this.#pending) {
      pending.timer.cancel();
      pending.timer = systemClock.setTimer(pending.fire, Math.max(0, pending.dueMs - this.now()));
    }
  }

  /** Puts the clock on to the next full hour, at most an hour; returns when that is. */
  putOnToNextHour(): number {
    const hourMs = 3_600_000;
    const nextMs = (Math.floor(this.now() / hourMs) + 1) * hourMs;
    this.putOn(nextMs - this.now());
    return nextMs;
  }
}
