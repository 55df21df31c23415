import { isUtf8 } from 'node:buffer';
import { goQuote, goNumber } from '../../errors/go-format.ts';
import { FormatError } from '../../errors/format-error.ts';
import { utf8Text } from '../../text/utf8.ts';
import { RawNumber, RawObject, type RawValue } from '../json/tree.ts';
import type { Cursor, Head } from './cursor.ts';
import { tagContentError, taggedTime } from './tags.ts';
import {
  BYTES,
  FALSE,
  LATER_BASE16,
  LATER_BASE64,
  LATER_BASE64URL,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  POSITIVE,
  PRIMITIVE,
  TAG,
  TEXT,
  TIME_NUMBER,
  TIME_TEXT,
  TRUE,
  TWO_BYTES,
  typeNames,
  UNDEFINED,
} from './wire.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** How bytes are written as text: by the tag around them that says so. */
const laterEncodings: ReadonlyMap<number, BufferEncoding> = new Map([
  [LATER_BASE64URL, 'base64url'],
  [LATER_BASE64, 'base64'],
  [LATER_BASE16, 'hex'],
]);

/**
 * The item that comes next, with its parts as JSON would have them: byte strings are texts, floats are written with a
 * point, and a map's keys are in the order in which they came. `typed`: a struct's fields are read, so that keys that
 * are numbers are left out.
 * @throws FormatError in the words of the reference's library: what JSON could not say, or a key that comes twice
 */
export function readTree(cursor: Cursor, { typed = false }: { readonly typed?: boolean } = {}): RawValue {
  return new TreeReader(cursor, typed).value();
}

class TreeReader {
  readonly #cursor: Cursor;
  readonly #typed: boolean;
  /** Of the byte strings in what is read. */
  #encoding: BufferEncoding | undefined = undefined;

  constructor(cursor: Cursor, typed: boolean) {
    this.#cursor = cursor;
    this.#typed = typed;
  }

  value(): RawValue {
    const cursor = this.#cursor;
    switch (cursor.type) {
      case POSITIVE:
      case NEGATIVE:
        return new RawNumber(integerText(cursor.head()));
      case BYTES:
        return this.#bytesText();
      case TEXT:
        return textOf(cursor.string());
      case LIST:
        return this.#list();
      case MAP:
        return this.#map();
      case TAG:
        return this.#tagged();
      default:
        return primitive(cursor.head());
    }
  }

  #bytesText(): string {
    const bytes = this.#cursor.string();
    return this.#encoding === undefined ? utf8Text(bytes) : Buffer.from(bytes).toString(this.#encoding);
  }

  #list(): RawValue[] {
    const head = this.#cursor.head();
    const list: RawValue[] = [];
    while (this.#cursor.more(head, list.length)) list.push(this.value());
    return list;
  }

  #map(): RawObject {
    const head = this.#cursor.head();
    const object = new RawObject();
    const seen = new Set<string>();
    for (let i = 0; this.#cursor.more(head, i); i++) {
      const key = this.#key();
      if (key === undefined) {
        this.#cursor.skip();
        continue;
      }
      object.keys.push(key);
      object.values.push(this.value());
      if (seen.has(key)) throw duplicateKey(key, i);
      seen.add(key);
    }
    return object;
  }

  /** Undefined for a key that is not read. */
  #key(): string | undefined {
    const { type } = this.#cursor;
    if (this.#typed && (type === POSITIVE || type === NEGATIVE)) {
      this.#cursor.skip();
      return undefined;
    }
    const key = this.value();
    if (typeof key === 'string') return key;
    throw new FormatError(`cbor: cannot unmarshal ${typeNames[type]} into Go value of type string`);
  }

  #tagged(): RawValue {
    const { value: tag } = this.#cursor.head();
    const wrong = tagContentError(tag, this.#cursor);
    if (wrong !== undefined) throw new FormatError(wrong);
    if (tag === TIME_TEXT || tag === TIME_NUMBER) return taggedTime(this.value());
    const encoding = laterEncodings.get(tag);
    if (encoding === undefined) return this.value();
    const outer = this.#encoding;
    this.#encoding = encoding;
    const value = this.value();
    this.#encoding = outer;
    return value;
  }
}

/** The error of a map that has a key twice. */
export function duplicateKey(key: string, index: number): FormatError {
  return new FormatError(`cbor: found duplicate map key ${goQuote(key)} at map element index ${index}`);
}

/** A text string is UTF-8. @throws FormatError */
function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new FormatError('cbor: invalid UTF-8 string');
  return utf8Text(bytes);
}

function integerText({ exact, type, value }: Head): string {
  if (exact === undefined) return String(type === POSITIVE ? value : -1 - value);
  const signed = type === POSITIVE ? exact : -1n - exact;
  if (exact <= MAX_INT64) return String(signed);
  throw new FormatError(
    `cbor: cannot unmarshal ${typeNames[type]} into Go value of type int64 (${signed} overflows Go's int64)`,
  );
}

function primitive({ info, value }: Head): RawValue {
  if (info >= TWO_BYTES) return new RawNumber(floatText(value));
  switch (info) {
    case FALSE:
      return false;
    case TRUE:
      return true;
    case NULL:
      return null;
    default:
      throw unknownSimple(info === UNDEFINED ? info : value);
  }
}

/** The error of a simple value that is neither true, false nor null. */
export function unknownSimple(value: number): FormatError {
  return new FormatError(
    `cbor: data item of cbor type ${typeNames[PRIMITIVE]} is not accepted by protocol: simple value ${value} is not ` +
      'recognized',
  );
}

/** With a point, or an exponent, so that it is no integer in JSON. */
function floatText(value: number): string {
  const text = goNumber(value).replace('+', '');
  return Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text;
}
