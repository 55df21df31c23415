import { isFormatError, parseDuration, trimEndOf } from '@kubechain/apimachinery';
import { conversionError } from './numbers.ts';
import { CelDuration, CelError, CelTime } from './values.ts';

const seconds = 1_000_000_000n;
const form = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?(Z|[+-]\d\d:\d\d)$/;
const firstSecond = -62_135_596_800n,
  lastSecond = 253_402_300_799n;
const maxDuration = 2n ** 63n - 1n;

/** Whether a number of seconds since 1970 is a time that CEL knows. */
export function isTime(count: bigint): boolean {
  return count >= firstSecond && count <= lastSecond;
}

/** A time that CEL knows: of the years 1 to 9999. @throws CelError */
export function checkedTime(nanos: bigint, offset = 0): CelTime {
  if (nanos < firstSecond * seconds || nanos >= (lastSecond + 1n) * seconds) throw new CelError('timestamp overflow');
  return new CelTime(nanos, offset);
}

/** @throws CelError where 64 bits of nanoseconds are too few */
export function checkedDuration(nanos: bigint): CelDuration {
  if (nanos > maxDuration || nanos < -maxDuration - 1n) throw new CelError('duration overflow');
  return new CelDuration(nanos);
}

/** RFC 3339; undefined for other texts. */
export function readTime(text: string): CelTime | undefined {
  const [, day = '', clock = '', fraction = '', zone = ''] = form.exec(text) ?? [];
  const ms = Date.parse(`${day}T${clock}${zone}`);
  // What Date would carry over, such as February 30, is no time.
  if (Number.isNaN(ms) || new Date(Date.parse(`${day}T00:00:00Z`)).getUTCDate() !== Number(day.slice(8)))
    return undefined;
  if (Number(clock.slice(0, 2)) > 23) return undefined;
  const offset =
    zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)));
  return new CelTime(BigInt(ms) * 1_000_000n + BigInt(fraction.padEnd(9, '0')), offset);
}

/** RFC 3339. @throws CelError */
export function parseTimestamp(text: string): CelTime {
  const time = readTime(text);
  if (time === undefined) throw conversionError('string', 'google.protobuf.Timestamp');
  return checkedTime(time.nanos, time.offset);
}

/** RFC 3339, in the zone that the time was written with. */
export function timestampText({ nanos, offset }: CelTime): string {
  const local = nanos + BigInt(offset) * 60n * seconds;
  const part = ((local % seconds) + seconds) % seconds;
  const text = new Date(Number((local - part) / 1_000_000n)).toISOString().slice(0, 19);
  const fraction = trimEndOf(String(part).padStart(9, '0'), '0');
  return `${text}${fraction === '' ? '' : `.${fraction}`}${offset === 0 ? 'Z' : offsetText(offset)}`;
}

function offsetText(offset: number): string {
  const size = Math.abs(offset);
  return (
    `${offset < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}` +
    `:${String(size % 60).padStart(2, '0')}`
  );
}

/** A duration as Go writes it. @throws CelError */
export function parseCelDuration(text: string): CelDuration {
  try {
    return new CelDuration(parseDuration(text));
  } catch (error) {
    throw isFormatError(error) ? conversionError('string', 'google.protobuf.Duration') : error;
  }
}

/** In seconds, as cel-go converts durations to texts. */
export function durationText({ nanos }: CelDuration): string {
  const text = String(Number(nanos / seconds) + Number(nanos % seconds) / 1e9);
  return `${text.includes('e') ? trimEndOf((Number(nanos) / 1e9).toFixed(9), '0') : text}s`;
}

/** The parts of a time that expressions can ask for; months and days of the week count from 0. */
export const timeGetters = [
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
] as const;

/** A part of a time in a zone: a name, or an offset such as `+02:00`. @throws CelError */
export function timePart(time: CelTime, part: (typeof timeGetters)[number], zone: string): bigint {
  const ms = Number(time.nanos >= 0n ? time.nanos / 1_000_000n : (time.nanos - 999_999n) / 1_000_000n);
  const local = new Date(ms + zoneOffset(ms, zone));
  switch (part) {
    case 'getFullYear':
      return BigInt(local.getUTCFullYear());
    case 'getMonth':
      return BigInt(local.getUTCMonth());
    case 'getDate':
      return BigInt(local.getUTCDate());
    case 'getDayOfMonth':
      return BigInt(local.getUTCDate() - 1);
    case 'getDayOfWeek':
      return BigInt(local.getUTCDay());
    case 'getDayOfYear':
      return BigInt(Math.floor((local.getTime() - new Date(local.getTime()).setUTCMonth(0, 1)) / 86_400_000));
    case 'getHours':
      return BigInt(local.getUTCHours());
    case 'getMinutes':
      return BigInt(local.getUTCMinutes());
    case 'getSeconds':
      return BigInt(local.getUTCSeconds());
    case 'getMilliseconds':
      return BigInt(local.getUTCMilliseconds());
  }
}

/** How far a zone is ahead of UTC at a time, in milliseconds. @throws CelError */
function zoneOffset(ms: number, zone: string): number {
  if (zone === 'UTC' || zone === '') return 0;
  const colon = zone.indexOf(':');
  if (colon >= 0) {
    const hours = zonePart(zone.slice(0, colon)),
      minutes = zonePart(zone.slice(colon + 1));
    return (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60_000;
  }
  try {
    const parts = new Map(
      new Intl.DateTimeFormat('en-US', {
        timeZone: zone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
        .formatToParts(ms)
        .map(({ type, value }) => [type, Number(value)]),
    );
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    return (
      Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) -
      Math.floor(ms / 1000) * 1000
    );
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}

function zonePart(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new CelError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
