import { FormatError } from '../../errors/format-error.ts';
import { utf8Text } from '../../text/utf8.ts';
import type { Cursor } from './cursor.ts';
import { duplicateKey, unknownSimple } from './read-tree.ts';
import { mistakeText, type Mistake } from './typed-check.ts';
import { BYTES, FALSE, LIST, MAP, NULL, PRIMITIVE, TAG, TEXT, TRUE, TWO_BYTES, typeNames } from './wire.ts';

/** What an object says that it is; '' where it says nothing. */
export interface WrittenType {
  readonly apiVersion: string;
  readonly kind: string;
}

const TYPE_META = 'v1.TypeMeta';

/**
 * Reads nothing of an object but what it says that it is. The cursor stands before it, and is left there.
 * @throws FormatError in the words of the reference's library
 */
export function interpret(cursor: Cursor): WrittenType {
  const start = cursor.at;
  while (cursor.type === TAG) cursor.head();
  const { type } = cursor;
  const written = { apiVersion: '', kind: '' };
  if (type === MAP) readMembers(cursor, written);
  else if (type === PRIMITIVE) refusePrimitive(cursor);
  else throw mistaken(type, TYPE_META, type === LIST ? { note: NO_STRUCT } : {});
  cursor.at = start;
  return written;
}

const NO_STRUCT = 'cannot decode CBOR array to struct without toarray option';

function readMembers(cursor: Cursor, written: { apiVersion: string; kind: string }): void {
  const head = cursor.head();
  const seen = new Set<string>();
  for (let i = 0; cursor.more(head, i); i++) {
    if (cursor.type !== BYTES && cursor.type !== TEXT) {
      cursor.skip();
      cursor.skip();
      continue;
    }
    const name = utf8Text(cursor.string());
    if (seen.has(name)) throw duplicateKey(name, i);
    seen.add(name);
    if (name === 'kind' || name === 'apiVersion') written[name] = readText(cursor, `${TYPE_META}.${name}`);
    else cursor.skip();
  }
}

function readText(cursor: Cursor, field: string): string {
  while (cursor.type === TAG) cursor.head();
  const { type } = cursor;
  if (type === BYTES || type === TEXT) return utf8Text(cursor.string());
  const isNull = type === PRIMITIVE && cursor.bytes[cursor.at] === ((PRIMITIVE << 5) | NULL);
  if (!isNull) throw mistaken(type, 'string', { field });
  cursor.skip();
  return '';
}

/** Nothing but null stands for an object. */
function refusePrimitive(cursor: Cursor): void {
  const { info, value } = cursor.head();
  if (info === NULL) return;
  if (info < TWO_BYTES && info !== FALSE && info !== TRUE) throw unknownSimple(value);
  throw mistaken(PRIMITIVE, TYPE_META);
}

function mistaken(type: number, goType: string, more: Partial<Mistake> = {}): FormatError {
  return new FormatError(mistakeText({ kind: 'type', found: typeNames[type] as string, goType, ...more } as Mistake));
}
