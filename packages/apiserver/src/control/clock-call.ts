import { formatMicroTime, parseTime } from '@kubechain/apimachinery';
import { timeOf, type ClockChange, type ClockReading } from '@kubechain/apimachinery/movable-clock';
import { parseDuration } from '../options/duration.ts';

/** What is wrong with a call about the clock. */
export class ClockCallError extends Error {
  override readonly name = 'ClockCallError';
}

/** Where the clock stands. */
export interface ClockState {
  /** RFC 3339, with microseconds. */
  readonly now: string;
  /** Ahead of the machine's. */
  readonly offsetMs: number;
  readonly frozen: boolean;
}

/** @param machineMs the machine's time */
export function clockState(reading: ClockReading, machineMs: number): ClockState {
  return {
    now: formatMicroTime(timeOf(reading, machineMs)),
    offsetMs: reading.offsetMs,
    frozen: reading.frozenAtMs !== undefined,
  };
}

/**
 * A change out of JSON: `{ "advance": "1h30m" }` or milliseconds, `{ "set": "2030-01-01T00:00:00Z" }`, `{ "freeze":
 * true }` or false, `{ "reset": true }`.
 * @throws ClockCallError
 */
export function parseClockChange(value: unknown): ClockChange {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const [first, ...more] = entries;
  if (first === undefined || more.length > 0)
    throw new ClockCallError('the body must have one member: advance, set, freeze or reset');
  const [kind, argument] = first as [string, unknown];
  switch (kind) {
    case 'advance':
      return { kind, ms: advanceMs(argument) };
    case 'set': {
      const atMs = typeof argument === 'string' ? timeMs(argument) : undefined;
      if (atMs === undefined) throw new ClockCallError(`set must be a time like 2030-01-01T00:00:00Z`);
      return { kind, atMs };
    }
    case 'freeze':
      if (typeof argument !== 'boolean') throw new ClockCallError('freeze must be true or false');
      return { kind: argument ? 'freeze' : 'resume' };
    case 'reset':
      if (argument !== true) throw new ClockCallError('reset must be true');
      return { kind };
    default:
      throw new ClockCallError(`unknown member ${JSON.stringify(kind)}: advance, set, freeze or reset`);
  }
}

function advanceMs(argument: unknown): number {
  const ms = typeof argument === 'string' ? parseDuration(argument) : argument;
  if (typeof ms !== 'number' || !(ms >= 0) || !Number.isFinite(ms))
    throw new ClockCallError('advance must be a duration like 1h30m, or milliseconds, not below 0');
  return ms;
}

function timeMs(text: string): number | undefined {
  try {
    return parseTime(text);
  } catch {
    return undefined;
  }
}
