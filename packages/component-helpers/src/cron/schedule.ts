import { FormatError, goQuote, parseDuration } from '@kubechain/apimachinery';
import { loadLocation, type TimeZone } from './time-zone.ts';

/** The values of one field at which a schedule is due. */
export interface FieldValues {
  readonly values: ReadonlySet<number>;
  /** Written as `*` or `?`, so that a day need only match the other of its two fields. */
  readonly any: boolean;
}

/** When something is due: by fields as in a crontab, or every so often. */
export type CronSchedule =
  | {
      readonly kind: 'fields';
      readonly minute: FieldValues;
      readonly hour: FieldValues;
      readonly dayOfMonth: FieldValues;
      readonly month: FieldValues;
      readonly dayOfWeek: FieldValues;
      readonly zone: TimeZone;
    }
  | { readonly kind: 'every'; readonly delayMs: number };

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const minutes: Bounds = { min: 0, max: 59 };
const hours: Bounds = { min: 0, max: 23 };
const daysOfMonth: Bounds = { min: 1, max: 31 };
const months: Bounds = {
  min: 1,
  max: 12,
  names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const daysOfWeek: Bounds = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const fieldCount = 5;

const descriptors: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const every = '@every ';

/**
 * A schedule as the reference reads it (ParseStandard of github.com/robfig/cron/v3): five fields, a descriptor such as
 * `@daily`, or `@every 1h30m`; in front perhaps a time zone, `TZ=Europe/Berlin `, else it is that of the process.
 * @throws FormatError with the texts of that parser
 */
export function parseSchedule(text: string): CronSchedule {
  const { schedule, zone } = withoutZone(text);
  if (schedule.startsWith(every)) return parseEvery(schedule);
  const words = fieldsOf(schedule);
  if (words.length !== fieldCount)
    throw new FormatError(`expected exactly ${fieldCount} fields, found ${words.length}: [${words.join(' ')}]`);
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = words;
  return {
    kind: 'fields',
    minute: parseField(minute, minutes),
    hour: parseField(hour, hours),
    dayOfMonth: parseField(dayOfMonth, daysOfMonth),
    month: parseField(month, months),
    dayOfWeek: parseField(dayOfWeek, daysOfWeek),
    zone,
  };
}

function fieldsOf(schedule: string): readonly string[] {
  if (!schedule.startsWith('@')) return schedule.split(/\s+/u).filter((word) => word !== '');
  const fields = descriptors.get(schedule);
  if (fields === undefined) throw new FormatError(`unrecognized descriptor: ${schedule}`);
  return fields.split(' ');
}

function withoutZone(text: string): { readonly schedule: string; readonly zone: TimeZone } {
  if (text === '') throw new FormatError('empty spec string');
  if (!text.startsWith('TZ=') && !text.startsWith('CRON_TZ=')) return { schedule: text, zone: loadLocation('Local') };
  const space = text.indexOf(' ');
  if (space < 0) throw new FormatError('invalid schedule format: runtime error: slice bounds out of range [:-1]');
  const zone = text.slice(text.indexOf('=') + 1, space);
  try {
    return { schedule: text.slice(space).trim(), zone: loadLocation(zone) };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`provided bad location ${zone}: ${error.message}`);
  }
}

/** Whole seconds, at least one. */
function parseEvery(text: string): CronSchedule {
  try {
    const seconds = parseDuration(text.slice(every.length)) / 1_000_000_000n;
    return { kind: 'every', delayMs: Number(seconds < 1n ? 1n : seconds) * 1_000 };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    throw new FormatError(`failed to parse duration ${text}: ${error.message}`);
  }
}

function parseField(text: string, bounds: Bounds): FieldValues {
  const ranges = text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => parseRange(range, bounds));
  return {
    values: new Set(ranges.flatMap(({ end, start, step }) => steps(start, end, step))),
    any: ranges.some(({ any }) => any),
  };
}

function steps(start: number, end: number, step: number): readonly number[] {
  return Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, i) => start + i * step);
}

function parseRange(
  text: string,
  bounds: Bounds,
): { readonly start: number; readonly end: number; readonly step: number; readonly any: boolean } {
  const [range = '', stepText, ...slashes] = text.split('/');
  const [low = '', high, ...hyphens] = range.split('-');
  const any = low === '*' || low === '?';
  const start = any ? bounds.min : parseValue(low, bounds);
  if (!any && hyphens.length > 0) throw new FormatError(`too many hyphens: ${text}`);
  let end = any ? bounds.max : high === undefined ? start : parseValue(high, bounds);
  if (slashes.length > 0) throw new FormatError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (stepText !== undefined && high === undefined) end = bounds.max;
  if (start < bounds.min) throw new FormatError(`beginning of range (${start}) below minimum (${bounds.min}): ${text}`);
  if (end > bounds.max) throw new FormatError(`end of range (${end}) above maximum (${bounds.max}): ${text}`);
  if (start > end) throw new FormatError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) throw new FormatError(`step of range should be a positive number: ${text}`);
  return { start, end, step, any: any && step <= 1 };
}

function parseValue(text: string, { names = [] }: Bounds): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named < 0 ? parseNumber(text) : named;
}

function parseNumber(text: string): number {
  if (!/^[+-]?\d+$/u.test(text))
    throw new FormatError(`failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (value !== BigInt.asIntN(64, value))
    throw new FormatError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: value out of range`,
    );
  if (value < 0n) throw new FormatError(`negative number (${value}) not allowed: ${text}`);
  return Number(value);
}
