import { canonicalQuantity } from '../../quantity/canonical.ts';
import { formatDuration } from '../../meta/duration.ts';
import { formatMicroTime, formatSeconds } from '../../meta/time.ts';
import { WireError } from '../../wire/wire-error.ts';
import type { WireReader } from '../../wire/wire-reader.ts';
import { skipUnknown } from './skip-unknown.ts';

/* Types that are messages on the wire and single values in JSON. */

/** Of the years 0 to 9999, since 1970. */
const FIRST_SECOND = Date.UTC(-1, 12, 1) / 1000;
const LAST_SECOND = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000;

const QUANTITY_FIELDS = ['Quantity', 'String_'];
const TIME_FIELDS = ['Timestamp', 'Seconds', 'Nanos'];
const DURATION_FIELDS = ['Duration', 'Duration'];
const INT_OR_STRING_FIELDS = ['IntOrString', 'Type', 'IntVal', 'StrVal'];

/** A resource.Quantity in canonical form. */
export function readQuantity(reader: WireReader): string {
  let text = '0';
  const outer = reader.enter();
  for (let tag = reader.tag('Quantity'); tag !== 0; tag = reader.tag('Quantity')) {
    if (tag === 0x0a) text = reader.text();
    else skipUnknown(reader, tag, QUANTITY_FIELDS);
  }
  reader.leave(outer);
  return canonicalQuantity(text);
}

/** A meta/v1 Time or MicroTime; an empty message is Go's zero time, undefined here. */
export function readTime(reader: WireReader, kind: 'time' | 'microTime'): string | undefined {
  let seconds = 0,
    nanos = 0;
  const outer = reader.enter();
  const zero = reader.done;
  for (let tag = reader.tag('Timestamp'); tag !== 0; tag = reader.tag('Timestamp')) {
    if (tag === 0x08) seconds = reader.integer();
    else if (tag === 0x10) nanos = reader.int32();
    else skipUnknown(reader, tag, TIME_FIELDS);
  }
  reader.leave(outer);
  if (zero) return undefined;
  if (kind === 'time') return formatSeconds(inYears(seconds));
  // As Go's time.Unix does, nanoseconds beyond a second are carried over.
  const micros = Math.trunc(nanos / 1000);
  const carried = Math.floor(micros / 1_000_000);
  const text = formatMicroTime(inYears(seconds + carried) * 1000);
  return `${text.slice(0, -7)}${String(micros - carried * 1_000_000).padStart(6, '0')}Z`;
}

/** @throws WireError for years that RFC 3339 cannot write; the text is that of Go's time.Time.MarshalJSON */
function inYears(seconds: number): number {
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND)
    throw new WireError('Time.MarshalJSON: year outside of range [0,9999]');
  return seconds;
}

/** A meta/v1 Duration as Go writes it. */
export function readDuration(reader: WireReader): string {
  let nanos: number | bigint = 0;
  const outer = reader.enter();
  for (let tag = reader.tag('Duration'); tag !== 0; tag = reader.tag('Duration')) {
    if (tag === 0x08) nanos = reader.int64();
    else skipUnknown(reader, tag, DURATION_FIELDS);
  }
  reader.leave(outer);
  return formatDuration(BigInt(nanos));
}

/** An intstr.IntOrString. */
export function readIntOrString(reader: WireReader): number | string {
  let isText = false,
    number = 0,
    text = '';
  const outer = reader.enter();
  for (let tag = reader.tag('IntOrString'); tag !== 0; tag = reader.tag('IntOrString')) {
    if (tag === 0x08) isText = reader.varint() === 1;
    else if (tag === 0x10) number = reader.int32();
    else if (tag === 0x1a) text = reader.text();
    else skipUnknown(reader, tag, INT_OR_STRING_FIELDS);
  }
  reader.leave(outer);
  return isText ? text : number;
}
