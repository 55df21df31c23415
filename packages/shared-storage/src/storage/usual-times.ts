import type { ObjectMeta } from '@kubechain/apimachinery';

/** As Go's encoder writes seconds, of days that every month has. */
const USUAL = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;
/** The same of the other days. */
const END_OF_MONTH = /^\d{4}-\d\d-(?:29|30|31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Whether the times of an object's metadata are written as its encoder writes them; others are not served unread. */
export function hasUsualTimes({ creationTimestamp, deletionTimestamp }: ObjectMeta): boolean {
  return isUsual(creationTimestamp) && (deletionTimestamp === undefined || isUsual(deletionTimestamp));
}

function isUsual(time: unknown): boolean {
  if (time === undefined || time === null) return true;
  if (typeof time !== 'string') return false;
  return USUAL.test(time) || (END_OF_MONTH.test(time) && isDay(time));
}

/** Whether the month has so many days. */
function isDay(time: string): boolean {
  const date = new Date(time);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.slice(0, -1));
}
