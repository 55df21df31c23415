import { isFormatError, parseDuration } from '@kubechain/apimachinery';
import { CelDuration, CelError, CelTime } from './values.ts';

const seconds = 1_000_000_000n;
const form = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.(\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;

/** RFC 3339. @throws CelError */
export function parseTimestamp(text: string): CelTime {
  const parts = form.exec(text);
  const ms = parts === null ? NaN : Date.parse(`${parts[1] ?? ''}T${parts[2] ?? ''}${parts[4] ?? ''}`);
  if (parts === null || Number.isNaN(ms)) throw new CelError(`parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`);
  return new CelTime(BigInt(ms) * 1_000_000n + BigInt((parts[3] ?? '').padEnd(9, '0')));
}

export function timestampText({ nanos }: CelTime): string {
  const part = ((nanos % seconds) + seconds) % seconds;
  const text = new Date(Number((nanos - part) / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = String(part).padStart(9, '0').replace(/0+$/, '');
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** A duration as Go writes it. @throws CelError */
export function parseCelDuration(text: string): CelDuration {
  try {
    return new CelDuration(parseDuration(text));
  } catch (error) {
    throw isFormatError(error) ? new CelError(error.message) : error;
  }
}

/** In seconds, as cel-go converts durations to texts. */
export function formatCelDuration({ nanos }: CelDuration): string {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const fraction = String(size % seconds).padStart(9, '0').replace(/0+$/, '');
  return `${sign}${size / seconds}${fraction === '' ? '' : `.${fraction}`}s`;
}

/** The parts of a time in a zone: a name, or an offset such as `+02:00`. @throws CelError */
export function timeParts(time: CelTime, zone: string): Record<'getFullYear' | 'getMonth' | 'getDate' | 'getDayOfMonth' | 'getDayOfWeek' | 'getDayOfYear' | 'getHours' | 'getMinutes' | 'getSeconds' | 'getMilliseconds', bigint> {
  const ms = Number(time.nanos / 1_000_000n);
  const local = new Date(ms + offset(ms, zone));
  const year = local.getUTCFullYear();
  const int = BigInt;
  return {
    getFullYear: int(year), getMonth: int(local.getUTCMonth()), getDate: int(local.getUTCDate()), getDayOfMonth: int(local.getUTCDate() - 1), getDayOfWeek: int(local.getUTCDay()),
    getDayOfYear: int(Math.floor((local.getTime() - Date.UTC(year, 0, 1)) / 86_400_000)),
    getHours: int(local.getUTCHours()), getMinutes: int(local.getUTCMinutes()), getSeconds: int(local.getUTCSeconds()), getMilliseconds: int(local.getUTCMilliseconds()),
  };
}

function offset(ms: number, zone: string): number {
  if (zone === 'UTC' || zone === '') return 0;
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (fixed !== null) return (fixed[1] === '-' ? -1 : 1) * (Number(fixed[2]) * 60 + Number(fixed[3])) * 60_000;
  try {
    const parts = new Map(new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' }).formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (name: string): number => parts.get(name as Intl.DateTimeFormatPartTypes) ?? 0;
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - Math.floor(ms / 1000) * 1000;
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}
