import type { Timer } from '@kubechain/apimachinery';
import type { LoopTimers } from './machine-timers.ts';

/** Places in the memory that the thread that is watched over shares with the one that watches. */
export const watchdogSlots = { beats: 0, debugged: 1, stalls: 2, stalledMs: 3, endAfterMs: 4, resting: 5 } as const;

/** What is watched over by whom. */
export interface WatchLoopOptions {
  /** See `watchdogSlots`; those are given because the function must not use anything outside of itself. */
  readonly shared: Int32Array;
  readonly slots: typeof watchdogSlots;
  /** Milliseconds of work that are told. */
  readonly tellAfterMs: number;
}

/** Work that holds, or has held, an event loop. */
export interface HeldLoop {
  readonly heldMs: number;
  /** Milliseconds of a processor meanwhile. */
  readonly cpuMs: number;
  /** Innermost first; empty where it is not known. */
  readonly stack: string;
}

/** What is particular to a thread that is watched over, and to who watches. */
export interface LoopHost extends LoopTimers {
  /** Milliseconds of a processor that were used since some moment, by all but who watches. */
  cpuMs(): number;
  /** Whether a debugger may hold it. */
  debugged(): boolean;
  /** Whether it may be interrupted for its stack, being held like this; asked at each look until it has been. */
  mayInterrupt(held: HeldLoop): boolean;
  /** Interrupts its JavaScript for a moment, wherever it is, and gives its stack when it is known. */
  askForStack(take: (stack: string) => void): void;
  /** It was held for longer than is told. */
  wentOn(held: HeldLoop): void;
  /**
   * It has been held for `endAfterMs`, and had the processor for half of that; called once, when its stack is known or
   * five seconds behind the moment it was asked for.
   */
  held(held: HeldLoop): void;
  /** Nothing is watched over any more: there is no work. */
  rested(): void;
}

/**
 * Looks every quarter of a second whether a thread has added a beat, as it does as often while it has work:
 *
 *     1 s ─► its stack is asked for     endAfterMs ─► held     a beat ─► went on
 *
 * It looks no more once `resting` is set with the last beat, or once the timer that it returns is cancelled. It must
 * not use anything outside of itself, since it is also given to a thread as its own text.
 */
export function watchLoop({ shared, slots, tellAfterMs }: WatchLoopOptions, host: LoopHost): Timer {
  const tickMs = 250;
  // On a busy machine it comes later; where no JavaScript runs it does not come at all.
  const stackWithinMs = 5_000;
  let seen = Atomics.load(shared, slots.beats);
  let seenAt = host.nowMs();
  let lastTick = seenAt;
  let cpuAtBeat = host.cpuMs();
  let told = false;
  let interrupted = false;
  let interruptedAt = 0;
  let heldTold = false;
  let stack = '';

  function held(now: number): HeldLoop {
    return { heldMs: Math.round(now - seenAt), cpuMs: Math.round(host.cpuMs() - cpuAtBeat), stack };
  }

  function tick(): void {
    const now = host.nowMs();
    const sinceTick = now - lastTick;
    lastTick = now;
    const beat = Atomics.load(shared, slots.beats);
    // A late tick: the whole process, or the machine, stood still. That is no work of who is watched over.
    if (beat !== seen || sinceTick > tellAfterMs) {
      if (told && beat !== seen) {
        const { heldMs, ...rest } = held(now);
        Atomics.add(shared, slots.stalls, 1);
        Atomics.add(shared, slots.stalledMs, heldMs);
        host.wentOn({ heldMs, ...rest });
      }
      if (beat !== seen) heldTold = false;
      seen = beat;
      seenAt = now;
      cpuAtBeat = host.cpuMs();
      told = false;
      interrupted = false;
      stack = '';
      if (Atomics.load(shared, slots.resting) !== 0) {
        timer.cancel();
        host.rested();
      }
      return;
    }
    const heldMs = now - seenAt;
    if (heldMs > tellAfterMs) {
      told = true;
      if (!interrupted && host.mayInterrupt(held(now))) {
        interrupted = true;
        interruptedAt = now;
        host.askForStack((text) => {
          stack = text;
        });
      }
    }
    const endAfterMs = Atomics.load(shared, slots.endAfterMs);
    if (endAfterMs === 0 || heldMs < endAfterMs || heldTold || host.debugged()) return;
    if (interrupted && stack === '' && now - interruptedAt < stackWithinMs) return;
    const what = held(now);
    if (what.cpuMs < endAfterMs / 2) return;
    heldTold = true;
    host.held(what);
  }

  const timer = host.every(tickMs, tick);
  return timer;
}
