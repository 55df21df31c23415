/** Where a clock that can be moved stands, against the machine's. */
export interface ClockReading {
  /** What it is ahead, ms; negative: behind. */
  readonly offsetMs: number;
  /** The time at which it stands still, ms since the epoch; absent: it runs. */
  readonly frozenAtMs?: number;
}

/** A clock that shows the machine's time. */
export const machineReading: ClockReading = { offsetMs: 0 };

/** What is done to a clock. */
export type ClockChange =
  | { readonly kind: 'advance'; readonly ms: number }
  /** To a time, ms since the epoch; a clock that stands still goes on standing there. */
  | { readonly kind: 'set'; readonly atMs: number }
  | { readonly kind: 'freeze' }
  /** It runs again, from where it stands. */
  | { readonly kind: 'resume' }
  /** It shows the machine's time again. */
  | { readonly kind: 'reset' };

/** What a clock is told. */
export interface ClockMove {
  readonly reading: ClockReading;
  /** Time that goes by at once: timers that would have fired in it do now. 0 for a clock that is set back. */
  readonly skippedMs: number;
}

/** The time that a reading shows, ms since the epoch. */
export function timeOf({ frozenAtMs, offsetMs }: ClockReading, machineMs: number): number {
  return frozenAtMs ?? machineMs + offsetMs;
}

/** What a change means for a clock that stands at `reading` when the machine's shows `machineMs`. */
export function clockMove(reading: ClockReading, change: ClockChange, machineMs: number): ClockMove {
  const nowMs = timeOf(reading, machineMs);
  const frozen = reading.frozenAtMs !== undefined;
  const to = (atMs: number, standing: boolean): ClockMove => ({
    reading: { offsetMs: atMs - machineMs, ...(standing ? { frozenAtMs: atMs } : {}) },
    skippedMs: Math.max(0, atMs - nowMs),
  });
  switch (change.kind) {
    case 'advance':
      return to(nowMs + change.ms, frozen);
    case 'set':
      return to(change.atMs, frozen);
    case 'freeze':
      return to(nowMs, true);
    case 'resume':
      return to(nowMs, false);
    case 'reset':
      return to(machineMs, false);
    default:
      return change satisfies never;
  }
}
