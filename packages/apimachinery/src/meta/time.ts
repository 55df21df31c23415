import type { Instant } from './rfc3339.ts';
import { parseRFC3339, parseRFC3339Micro } from './rfc3339.ts';

/**
 * Time and identity come from outside: but for the clocks of wait/timer-clock.ts, which are there to be handed in,
 * nothing in this package reads a clock or draws random numbers.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Go's zero time, 0001-01-01T00:00:00Z, in seconds; it is written as null. */
const ZERO_TIME_SECONDS = -62_135_596_800;

/** `2006-01-02T15:04:05Z` for milliseconds since the epoch; the form of meta/v1 Time. Cuts fractions off. */
export function formatTime(ms: number): string {
  return formatSeconds(Math.floor(ms / 1000));
}

/** `2006-01-02T15:04:05.000000Z` for milliseconds since the epoch, with microseconds where `ms` has a fraction. */
export function formatMicroTime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const micros = Math.floor((ms - seconds * 1000) * 1000);
  return formatMicros(seconds, micros);
}

/**
 * Text of a meta/v1 Time as the server stores it: UTC, whole seconds; null for Go's zero time.
 * @throws FormatError with Go's text
 */
export function canonicalTime(text: string): string | null {
  // `2006-01-02T15:04:05Z` is by far the most frequent form and needs only its ranges checked.
  if (text.length === 20 && plain.test(text) && !text.startsWith('0001')) return text;
  const instant = parseRFC3339(text);
  return isZeroTime(instant) ? null : formatSeconds(instant.seconds);
}

/** Days above 28 take the slow path, which knows the months. */
const plain = /^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;

/**
 * Text of a meta/v1 MicroTime as the server stores it: UTC, six digits of fraction; null for Go's zero time.
 * @throws FormatError with Go's text
 */
export function canonicalMicroTime(text: string): string | null {
  const instant = parseRFC3339Micro(text);
  return isZeroTime(instant) ? null : formatMicros(instant.seconds, Math.floor(instant.nanos / 1000));
}

/**
 * Milliseconds since the epoch.
 * @throws FormatError with Go's text
 */
export function parseTime(text: string): number {
  const { seconds, nanos } = parseRFC3339(text);
  return seconds * 1000 + nanos / 1e6;
}

function isZeroTime(instant: Instant): boolean {
  return instant.seconds === ZERO_TIME_SECONDS && instant.nanos === 0;
}

/** Whole seconds since the epoch as `2006-01-02T15:04:05Z`. */
export function formatSeconds(seconds: number): string {
  if (seconds === lastSeconds) return lastText;
  lastSeconds = seconds;
  return (lastText = `${formatDateTime(seconds)}Z`);
}

/** A write asks several times what time it is, and thousands of writes in the same second. */
let lastSeconds = Number.NaN;
let lastText = '';

function formatMicros(seconds: number, micros: number): string {
  return `${formatDateTime(seconds)}.${String(micros).padStart(6, '0')}Z`;
}

function formatDateTime(seconds: number): string {
  const iso = new Date(seconds * 1000).toISOString();
  // toISOString writes years outside 0…9999 with a sign and six digits, Go with as many digits as needed.
  if (iso.length === 24) return iso.slice(0, 19);
  const year = Number(iso.slice(0, 7));
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}${iso.slice(7, 22)}`;
}
