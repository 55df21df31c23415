import { parseRFC3339, parseRFC3339Micro } from './rfc3339.ts';
import type { Instant } from './rfc3339.ts';

const SECONDS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;
const MICROS = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

/** `2006-01-02T15:04:05Z` of an instant; fractions are dropped, as meta/v1 Time drops them. */
export function formatTime(instant: Instant): string {
  return `${new Date(instant.seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** `2006-01-02T15:04:05.000000Z` of an instant, as meta/v1 MicroTime writes it. */
export function formatMicroTime(instant: Instant): string {
  return `${new Date(instant.seconds * 1000).toISOString().slice(0, 19)}.${String(Math.floor(instant.nanos / 1000)).padStart(6, '0')}Z`;
}

/**
 * A meta/v1 Time in the form the server stores: UTC, whole seconds.
 * @throws FormatError as parseRFC3339
 */
export function canonicalTime(text: string): string {
  const instant = parseRFC3339(text);
  return SECONDS.test(text) ? text : formatTime(instant);
}

/**
 * A meta/v1 MicroTime in the form the server stores: UTC, six digits of fraction.
 * @throws FormatError as parseRFC3339Micro
 */
export function canonicalMicroTime(text: string): string {
  const instant = parseRFC3339Micro(text);
  return MICROS.test(text) ? text : formatMicroTime(instant);
}
