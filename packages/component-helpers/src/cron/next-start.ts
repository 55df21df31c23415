import type { CronSchedule } from './schedule.ts';
import type { TimeZone, WallTime } from './time-zone.ts';

type Fields = Extract<CronSchedule, { kind: 'fields' }>;

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
/** What is not due within so many years never is. */
const years = 5;
const midnight = { hour: 0, minute: 0, second: 0 };

/**
 * The first moment after another at which a schedule is due, in milliseconds; undefined when there is none within five
 * years. Where clocks are put on or back it does what the reference's library does (Next of github.com/robfig/cron/v3):
 * it goes hour by hour in real time, so that what is due in a skipped hour is left out, and in a repeated hour is
 * twice.
 */
export function nextStartMs(schedule: CronSchedule, afterMs: number): number | undefined {
  const second = Math.floor(afterMs / secondMs) * secondMs;
  if (schedule.kind === 'every') return second + schedule.delayMs;
  if ([schedule.minute, schedule.hour, schedule.month].some(({ values }) => values.size === 0)) return undefined;
  return new Search(schedule, second + secondMs).run();
}

/**
 * Goes from a moment to the next one that matches: by months, days, hours, minutes; after each that ends, from above.
 */
class Search {
  readonly #schedule: Fields;
  readonly #zone: TimeZone;
  readonly #lastYear: number;
  #atMs: number;
  #wall: WallTime;
  /** Whether the smaller units have been set to their beginnings. */
  #moved = false;

  constructor(schedule: Fields, fromMs: number) {
    this.#schedule = schedule;
    this.#zone = schedule.zone;
    this.#atMs = fromMs;
    this.#wall = this.#zone.wallTime(fromMs);
    this.#lastYear = this.#wall.year + years;
  }

  run(): number | undefined {
    while (this.#wall.year <= this.#lastYear)
      if (this.#findMonth() && this.#findDay() && this.#findHour() && this.#findMinute() && this.#findSecond())
        return this.#atMs;
    return undefined;
  }

  /** False when the year is over; so the others with what is above them. */
  #findMonth(): boolean {
    while (!this.#schedule.month.values.has(this.#wall.month)) {
      const from = this.#moved ? this.#wall : { ...this.#wall, day: 1, ...midnight };
      this.#goTo(this.#zone.momentMs({ ...from, month: from.month + 1 }));
      if (this.#wall.month === 1) return false;
    }
    return true;
  }

  #findDay(): boolean {
    while (!isDueOn(this.#schedule, this.#wall)) {
      const from = this.#moved ? this.#wall : { ...this.#wall, ...midnight };
      this.#goTo(this.#zone.momentMs({ ...from, day: from.day + 1 }));
      // Clocks that skip midnight.
      const { hour } = this.#wall;
      if (hour !== 0) this.#goTo(this.#atMs + (hour > 12 ? 24 - hour : -hour) * hourMs);
      if (this.#wall.day === 1) return false;
    }
    return true;
  }

  #findHour(): boolean {
    while (!this.#schedule.hour.values.has(this.#wall.hour)) {
      const fromMs = this.#moved ? this.#atMs : this.#zone.momentMs({ ...this.#wall, minute: 0, second: 0 });
      this.#goTo(fromMs + hourMs);
      if (this.#wall.hour === 0) return false;
    }
    return true;
  }

  #findMinute(): boolean {
    while (!this.#schedule.minute.values.has(this.#wall.minute)) {
      this.#goTo(startOfMinute(this.#atMs) + minuteMs);
      if (this.#wall.minute === 0) return false;
    }
    return true;
  }

  #findSecond(): boolean {
    if (this.#wall.second === 0) return true;
    this.#goTo(startOfMinute(this.#atMs) + minuteMs);
    return false;
  }

  #goTo(atMs: number): void {
    this.#moved = true;
    this.#atMs = atMs;
    this.#wall = this.#zone.wallTime(atMs);
  }
}

function startOfMinute(atMs: number): number {
  return Math.floor(atMs / minuteMs) * minuteMs;
}

/** By both fields of the day where one of them is any, else by one of them. */
function isDueOn({ dayOfMonth, dayOfWeek }: Fields, { day, weekday }: WallTime): boolean {
  const byMonth = dayOfMonth.values.has(day);
  const byWeek = dayOfWeek.values.has(weekday);
  return dayOfMonth.any || dayOfWeek.any ? byMonth && byWeek : byMonth || byWeek;
}
