import { FormatError } from '../../errors/format-error.ts';
import { messageOf } from '../../errors/message-of.ts';
import { parseRFC3339 } from '../../meta/rfc3339.ts';
import { RawNumber, type RawValue } from '../json/tree.ts';
import type { Cursor } from './cursor.ts';
import {
  EIGHT_BYTES,
  NEGATIVE,
  POSITIVE,
  PRIMITIVE,
  TEXT,
  TIME_NUMBER,
  TIME_TEXT,
  TWO_BYTES,
  typeNames,
} from './wire.ts';

const MILLISECONDS = 1_000;

/** What is wrong with what follows a tag; undefined where that may stand there. */
export function tagContentError(tag: number, cursor: Cursor): string | undefined {
  const { type } = cursor;
  const got = `, got ${typeNames[type]}`;
  if (tag === TIME_TEXT && type !== TEXT) return `cbor: tag number 0 must be followed by text string${got}`;
  if (tag === TIME_NUMBER && type !== POSITIVE && type !== NEGATIVE && !isFloat(cursor))
    return `cbor: tag number 1 must be followed by integer or floating-point number${got}`;
  return undefined;
}

function isFloat({ at, bytes, type }: Cursor): boolean {
  const info = (bytes[at] as number) & 0x1f;
  return type === PRIMITIVE && info >= TWO_BYTES && info <= EIGHT_BYTES;
}

/** A time that a tag marks as such, as text. @throws FormatError for what is none */
export function taggedTime(value: RawValue): string {
  if (typeof value === 'string') return checkedTime(value);
  if (!(value instanceof RawNumber)) throw new TypeError('a time that is neither text nor number');
  const date = new Date(Number(value.text) * MILLISECONDS);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0)
    throw new FormatError(
      'cbor: decoded time cannot be represented in RFC3339 format with sub-second precision: ' +
        'Time.MarshalText: year outside of range [0,9999]',
    );
  const text = date.toISOString();
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text;
}

function checkedTime(text: string): string {
  try {
    parseRFC3339(text);
  } catch (error) {
    throw new FormatError(`cbor: cannot set ${text} for time.Time: ${messageOf(error)}`, { cause: error });
  }
  return text;
}
