import { FormatError } from '../errors/format-error.ts';
import { quoteForTime } from './go-time-quote.ts';

/** An instant with nanoseconds; JavaScript's Date alone loses them. */
export interface Instant {
  /** Whole seconds since 1970, may be negative. */
  readonly seconds: number;
  /** 0 … 999,999,999. */
  readonly nanos: number;
}

type Element = '2006' | '01' | '02' | '15' | '04' | '05' | '.000000' | 'Z07:00';
type Layout = readonly (readonly [prefix: string, element: Element])[];

const head: Layout = [
  ['', '2006'],
  ['-', '01'],
  ['-', '02'],
  ['T', '15'],
  [':', '04'],
  [':', '05'],
];
const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICRO_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';
const secondsElements: Layout = [...head, ['', 'Z07:00']];
const microElements: Layout = [...head, ['', '.000000'], ['', 'Z07:00']];

/**
 * Parses RFC 3339 text as Go's `time.Parse(time.RFC3339, text)` does; fractions of any length are accepted.
 * @throws FormatError `parsing time "x" as "2006-…": cannot parse "x" as "2006"`
 */
export function parseRFC3339(text: string): Instant {
  return parse(SECONDS_LAYOUT, secondsElements, text);
}

/**
 * Parses text of the form that MicroTime has: exactly six digits of fraction are required.
 * @throws FormatError as {@link parseRFC3339}
 */
export function parseRFC3339Micro(text: string): Instant {
  return parse(MICRO_LAYOUT, microElements, text);
}

function parse(layout: string, elements: Layout, text: string): Instant {
  const cannot = (rest: string, element: string): FormatError =>
    new FormatError(
      `parsing time ${quoteForTime(text)} as ${quoteForTime(layout)}: cannot parse ${quoteForTime(rest)} as ` +
        `${quoteForTime(element)}`,
    );
  const outOfRange = (what: string): FormatError =>
    new FormatError(`parsing time ${quoteForTime(text)}: ${what} out of range`);

  const fields = new Map<Element, number>();
  let nanos = 0;
  let offset = 0;
  let rest = text;
  for (const [prefix, element] of elements) {
    if (!rest.startsWith(prefix)) throw cannot(rest, prefix);
    rest = rest.slice(prefix.length);
    switch (element) {
      case '2006': {
        const year = rest.slice(0, 4);
        if (!/^[0-9]{4}$/.test(year)) throw cannot(rest, element);
        fields.set(element, Number(year));
        rest = rest.slice(4);
        break;
      }
      case '01':
      case '02':
      case '15':
      case '04':
      case '05': {
        // Go takes one digit for the hour and two for everything else.
        const digits = (element === '15' ? /^[0-9]{1,2}/ : /^[0-9]{2}/).exec(rest)?.[0];
        if (digits === undefined) throw cannot(rest, element);
        const value = Number(digits);
        if (element === '01' && (value < 1 || value > 12)) throw outOfRange('month');
        if (element === '15' && value > 23) throw outOfRange('hour');
        if (element === '04' && value > 59) throw outOfRange('minute');
        if (element === '05' && value > 59) throw outOfRange('second');
        fields.set(element, value);
        rest = rest.slice(digits.length);
        if (element === '05' && elements === secondsElements) {
          const fraction = /^[.,]([0-9]+)/.exec(rest);
          if (fraction !== null) {
            nanos = fractionToNanos(fraction[1] ?? '');
            rest = rest.slice(fraction[0].length);
          }
        }
        break;
      }
      case '.000000': {
        const fraction = /^[.,]([0-9]{6})/.exec(rest);
        if (fraction === null) throw cannot(rest, element);
        nanos = fractionToNanos(fraction[1] ?? '');
        rest = rest.slice(7);
        break;
      }
      case 'Z07:00': {
        if (rest.startsWith('Z')) {
          rest = rest.slice(1);
          break;
        }
        const zone = /^(.)([0-9]{2}):([0-9]{2})/s.exec(rest);
        if (zone === null) throw cannot(rest, element);
        const hours = Number(zone[2]);
        const minutes = Number(zone[3]);
        if (hours > 24) throw outOfRange('time zone offset hour');
        if (minutes > 60) throw outOfRange('time zone offset minute');
        if (zone[1] !== '+' && zone[1] !== '-') throw cannot(rest, element);
        offset = (hours * 60 + minutes) * 60 * (zone[1] === '-' ? -1 : 1);
        rest = rest.slice(6);
        break;
      }
      default:
        element satisfies never;
    }
  }
  if (rest !== '') throw new FormatError(`parsing time ${quoteForTime(text)}: extra text: ${quoteForTime(rest)}`);
  const year = fields.get('2006') ?? 0;
  const month = fields.get('01') ?? 1;
  const day = fields.get('02') ?? 1;
  if (day < 1 || day > daysIn(year, month)) throw outOfRange('day');
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(fields.get('15') ?? 0, fields.get('04') ?? 0, fields.get('05') ?? 0);
  return { seconds: date.getTime() / 1000 - offset, nanos };
}

/** Go keeps nine digits and drops the rest. */
function fractionToNanos(digits: string): number {
  return Number(digits.slice(0, 9).padEnd(9, '0'));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
