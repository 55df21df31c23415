import { humanDuration } from './human-duration.ts';

/**
 * A cell that says how long ago something was. Everything else in a row is a function of the object's version; the
 * text of this cell is made when the row is sent.
 */
export class AgeCell {
  /** The moment, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** What stands around the age in the cell. */
  readonly before: string;
  readonly after: string;

  constructor(sinceMs: number, around: { readonly before?: string; readonly after?: string } = {}) {
    this.sinceMs = sinceMs;
    this.before = around.before ?? '';
    this.after = around.after ?? '';
  }

  /** The whole cell at a moment, in milliseconds since the epoch. */
  text(nowMs: number): string {
    return `${this.before}${this.age(nowMs)}${this.after}`;
  }

  /** The age alone: ASCII without quotes and backslashes. */
  age(nowMs: number): string {
    return humanDuration(nowMs - this.sinceMs);
  }

  /** As JSON has it when nobody has said when: a programming error that is to be seen in the answer. */
  toJSON(): never {
    throw new TypeError('an age was encoded without saying relative to when');
  }
}

/** A cell that says when something is to be: `in 5m`, or `5m ago` when that is over. */
class TimeCell extends AgeCell {
  override age(nowMs: number): string {
    return this.sinceMs > nowMs ? `in ${humanDuration(this.sinceMs - nowMs)}` : `${super.age(nowMs)} ago`;
  }
}

/** The cell of a moment that may be still to come. */
export function timeAround(timestamp: string): AgeCell {
  return new TimeCell(Date.parse(timestamp));
}

/** The age cell of a timestamp: `<unknown>` without one (printers.translateTimestampSince). */
export function ageSince(
  timestamp: string | null | undefined,
  around?: { readonly before?: string; readonly after?: string },
): AgeCell | string {
  if (timestamp === undefined || timestamp === null || timestamp === '')
    return `${around?.before ?? ''}<unknown>${around?.after ?? ''}`;
  return new AgeCell(Date.parse(timestamp), around);
}
