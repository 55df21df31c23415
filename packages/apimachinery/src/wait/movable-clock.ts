import { machineReading, timeOf, type ClockMove, type ClockReading } from './clock-reading.ts';
import { monotonicClock, systemClock, type Timer, type TimerClock } from './timer-clock.ts';

interface Pending {
  readonly callback: () => void;
  /** On the clock's own elapsed time. */
  readonly dueMs: number;
  timer: Timer;
}

/**
 * A clock that tests move: it runs with the machine's, from where it was put, or stands still. Timers go by the time
 * that has elapsed, the machine's and what was skipped: moving the clock ahead fires those that are due, in their
 * order; setting it back or holding it does not put them off, so that what waits for a peer does not wait for ever.
 */
export class MovableClock implements TimerClock {
  readonly #machine: TimerClock;
  readonly #elapsed: TimerClock;
  readonly #pending = new Set<Pending>();
  readonly #listeners = new Set<(beforeMs: number) => Promise<void> | void>();
  #reading: ClockReading;
  #skippedMs = 0;
  #moving: Promise<void> = Promise.resolve();

  /** @param machine for specs; `elapsed` never goes back */
  constructor(reading: ClockReading = machineReading, machine = { wall: systemClock, elapsed: monotonicClock }) {
    this.#reading = reading;
    this.#machine = machine.wall;
    this.#elapsed = machine.elapsed;
  }

  now(): number {
    return timeOf(this.#reading, this.#machine.now());
  }

  /** Milliseconds that only go forward, also while the clock stands. */
  elapsedMs(): number {
    return this.#elapsed.now() + this.#skippedMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    const pending = { callback, dueMs: this.elapsedMs() + delayMs } as Pending;
    this.#pending.add(pending);
    this.#arm(pending, delayMs);
    return {
      cancel: () => {
        if (this.#pending.delete(pending)) pending.timer.cancel();
      },
    };
  }

  /** Before timers fire that a move has made due, and when it was set back, what `listener` does is waited for. */
  onMoved(listener: (beforeMs: number) => Promise<void> | void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener('abort', () => this.#listeners.delete(listener), { once: true });
  }

  /** Resolves when all timers have fired that it makes due. One move after the other. */
  move(move: ClockMove): Promise<void> {
    this.#moving = this.#moving.then(() => this.#move(move));
    return this.#moving;
  }

  async #move({ reading, skippedMs }: ClockMove): Promise<void> {
    const beforeMs = this.now();
    this.#reading = reading;
    this.#skippedMs += skippedMs;
    if (skippedMs === 0) {
      if (this.now() < beforeMs) await this.#tell(beforeMs);
      return;
    }
    const elapsedMs = this.elapsedMs();
    const due: Pending[] = [];
    for (const pending of this.#pending) {
      pending.timer.cancel();
      if (pending.dueMs <= elapsedMs) due.push(pending);
      else this.#arm(pending, pending.dueMs - elapsedMs);
    }
    await this.#tell(beforeMs);
    due.sort((a, b) => a.dueMs - b.dueMs);
    for (const pending of due) await this.#fire(pending);
  }

  /** What listeners fail with is theirs to tell. */
  async #tell(beforeMs: number): Promise<void> {
    await Promise.allSettled([...this.#listeners].map(async (listener) => listener(beforeMs)));
  }

  #arm(pending: Pending, delayMs: number): void {
    pending.timer = this.#elapsed.setTimer(() => {
      this.#pending.delete(pending);
      pending.callback();
    }, delayMs);
  }

  /** In a turn of its own, as timers do, with what follows from it; unless it has been cancelled meanwhile. */
  #fire(pending: Pending): Promise<void> {
    return new Promise((resolve) => {
      setImmediate(() => {
        setImmediate(resolve);
        if (this.#pending.delete(pending)) pending.callback();
      });
    });
  }
}
