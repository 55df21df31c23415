import { FormatError } from '@kubechain/apimachinery';

/** A date and time as a clock on the wall shows it; months and days from 1, days of the week from 0 for Sunday. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly weekday: number;
}

/** A time zone with its changes between summer and winter, as the platform's database has them. */
export class TimeZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat | undefined;

  /** @param name one that `loadLocation` accepts; undefined for UTC */
  constructor(name: string | undefined) {
    this.name = name ?? 'UTC';
    if (name !== undefined)
      this.#format = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset', year: 'numeric' });
  }

  /** Milliseconds that the zone's clocks are ahead of UTC at a moment. */
  offsetMs(atMs: number): number {
    if (this.#format === undefined) return 0;
    const [, sign, hours = '0', minutes = '0', seconds = '0'] =
      /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/u.exec(this.#format.format(atMs)) ?? [];
    const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
    return sign === '-' ? -ms : ms;
  }

  wallTime(atMs: number): WallTime {
    const local = new Date(atMs + this.offsetMs(atMs));
    return {
      year: local.getUTCFullYear(),
      month: local.getUTCMonth() + 1,
      day: local.getUTCDate(),
      hour: local.getUTCHours(),
      minute: local.getUTCMinutes(),
      second: local.getUTCSeconds(),
      weekday: local.getUTCDay(),
    };
  }

  /**
   * The moment of a wall time; months and days beyond their ends count on. Of a time that is skipped or repeated, the
   * moment by the offset that Go's time.Date takes: that of the wall time read as UTC, unless the result has another.
   */
  momentMs({ day, hour, minute, month, second, year }: Omit<WallTime, 'weekday'>): number {
    const asUTC = Date.UTC(year, month - 1, day, hour, minute, second);
    const offset = this.offsetMs(asUTC);
    const atMs = asUTC - offset;
    const there = this.offsetMs(atMs);
    return there === offset ? atMs : asUTC - there;
  }
}

/**
 * A time zone by name: `''` and `UTC`, `Local` for that of the process, and those of the IANA's database.
 * @throws FormatError if there is none, with the text of Go's time.LoadLocation
 */
export function loadLocation(name: string): TimeZone {
  if (name === '' || name === 'UTC') return new TimeZone(undefined);
  if (name === 'Local') return new TimeZone(new Intl.DateTimeFormat('en').resolvedOptions().timeZone);
  if (name.includes('..') || name.startsWith('/') || name.startsWith('\\'))
    throw new FormatError('time: invalid location name');
  if (!isKnown(name)) throw new FormatError(`unknown time zone ${name}`);
  return new TimeZone(name);
}

function isKnown(zone: string): boolean {
  if (!/^[A-Za-z]/u.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone.toLowerCase() !== zone.toLowerCase() || timeZone === zone;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
