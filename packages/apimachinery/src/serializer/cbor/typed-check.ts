import { corruptBase64 } from '../json/exact-decode.ts';
import { isFormatError } from '../../errors/format-error.ts';
import { canonicalMicroTime, canonicalTime } from '../../meta/time.ts';
import { canonicalQuantity } from '../../quantity/canonical.ts';
import { goTypeOf } from '../../schema/go-name.ts';
import type { ListSchema, MapSchema, ScalarSchema, Schema, StructSchema } from '../../schema/schema.ts';
import { utf8Text } from '../../text/utf8.ts';
import type { Cursor } from './cursor.ts';
import {
  BYTES,
  FALSE,
  LATER_BASE16,
  LATER_BASE64URL,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  POSITIVE,
  PRIMITIVE,
  TAG,
  TEXT,
  TRUE,
  TWO_BYTES,
  typeNames,
} from './wire.ts';

/** What is wrong with an object that is read into a Go struct, as the reference's library says it. */
export type Mistake =
  /** A value of a type that its field does not take; `field`: of the outermost struct, `v1.Pod.spec`. */
  | {
      readonly kind: 'type';
      readonly found: string;
      readonly goType: string;
      readonly field?: string;
      readonly note?: string;
    }
  /** A field that is not known, which a strict reader goes no further than in that object. */
  | { readonly kind: 'unknown'; readonly index: number }
  | { readonly kind: 'value'; readonly message: string };

/** The words of a mistake. */
export function mistakeText(mistake: Mistake): string {
  switch (mistake.kind) {
    case 'type': {
      const { field, found, goType, note } = mistake;
      const place = field === undefined ? 'Go value' : `Go struct field ${field}`;
      const text = `cbor: cannot unmarshal ${found} into ${place} of type ${goType}`;
      return note === undefined ? text : `${text} (${note})`;
    }
    case 'unknown':
      return `cbor: found unknown field at map element index ${mistake.index}`;
    case 'value':
      return mistake.message;
    default:
      return mistake satisfies never;
  }
}

/**
 * The mistake that reading an object by its schema ends with; undefined when there is none. The cursor stands before
 * the object. `strict`: fields that are not known are mistakes.
 */
export function findMistake(cursor: Cursor, schema: StructSchema, { strict }: { readonly strict: boolean }): Found {
  const start = cursor.at;
  const found = new TypedCheck(cursor, strict).value(schema);
  cursor.at = start;
  return found;
}

type Found = Mistake | undefined;

class TypedCheck {
  readonly #cursor: Cursor;
  readonly #strict: boolean;
  /** Tags around the next value that say how bytes are written as text. */
  #laterTags = 0;

  constructor(cursor: Cursor, strict: boolean) {
    this.#cursor = cursor;
    this.#strict = strict;
  }

  /** Passes the next value. */
  value(schema: Schema): Found {
    const cursor = this.#cursor;
    if (cursor.type === TAG) return this.#tagged(schema);
    if (this.#isNull()) {
      cursor.skip();
      return undefined;
    }
    switch (schema.kind) {
      case 'struct':
        return cursor.type === MAP ? this.#struct(schema) : this.#mismatch(schema);
      case 'map':
        return cursor.type === MAP ? this.#map(schema) : this.#mismatch(schema);
      case 'list':
        return cursor.type === LIST ? this.#list(schema) : this.#mismatch(schema);
      case 'scalar':
        return this.#scalar(schema);
      case 'any':
        // Kept as it is.
        cursor.skip();
        return undefined;
      default:
        return schema satisfies never;
    }
  }

  #tagged(schema: Schema): Found {
    const { value: tag } = this.#cursor.head();
    const later = tag >= LATER_BASE64URL && tag <= LATER_BASE16;
    if (later) this.#laterTags++;
    const found = this.value(schema);
    if (later) this.#laterTags--;
    return found;
  }

  #struct(schema: StructSchema): Found {
    const cursor = this.#cursor;
    const head = cursor.head();
    let first: Found = undefined;
    for (let i = 0; cursor.more(head, i); i++) {
      const { type } = cursor;
      if (type !== BYTES && type !== TEXT && type !== POSITIVE && type !== NEGATIVE) {
        first ??= {
          kind: 'type',
          found: nameOf(type),
          goType: 'string',
          note: `map key is of type ${nameOf(type)} and cannot be used to match struct field name`,
        };
        cursor.skip();
        cursor.skip();
        continue;
      }
      const name = this.#fieldName();
      const field = name === undefined ? undefined : schema.fields.get(name);
      if (field !== undefined) {
        const found = this.value(field.schema);
        first ??= found?.kind === 'type' ? { ...found, field: `${goTypeOf(schema)}.${name}` } : found;
        continue;
      }
      cursor.skip();
      if (!this.#strict) continue;
      for (let rest = i + 1; cursor.more(head, rest); rest++) {
        cursor.skip();
        cursor.skip();
      }
      return { kind: 'unknown', index: i };
    }
    return first;
  }

  /** Undefined for a number, which no field is called by. */
  #fieldName(): string | undefined {
    const cursor = this.#cursor;
    if (cursor.type === BYTES || cursor.type === TEXT) return utf8Text(cursor.string());
    cursor.skip();
    return undefined;
  }

  #map(schema: MapSchema): Found {
    const cursor = this.#cursor;
    const head = cursor.head();
    let first: Found = undefined;
    for (let i = 0; cursor.more(head, i); i++) {
      cursor.skip();
      const found = this.value(schema.values);
      first ??= found;
    }
    return first;
  }

  #list(schema: ListSchema): Found {
    const cursor = this.#cursor;
    const head = cursor.head();
    let first: Found = undefined;
    for (let i = 0; cursor.more(head, i); i++) {
      const found = this.value(schema.items);
      first ??= found;
    }
    return first;
  }

  #scalar(schema: ScalarSchema): Found {
    const cursor = this.#cursor;
    const { type } = cursor;
    switch (schema.type) {
      case 'string':
        return isText(type) ? this.#passed() : this.#mismatch(schema);
      case 'time':
        return this.#text(schema, canonicalTime);
      case 'microTime':
        return this.#text(schema, canonicalMicroTime);
      case 'quantity':
        return this.#text(schema, canonicalQuantity);
      case 'intOrString':
        return isText(type) ? this.#passed() : this.#integer(schema, 2 ** 31, 'int32');
      case 'boolean':
        return this.#isSimple(FALSE) || this.#isSimple(TRUE) ? this.#passed() : this.#mismatch(schema);
      case 'int32':
        return this.#integer(schema, 2 ** 31);
      case 'int64':
      case 'integer':
        return this.#integer(schema, 2 ** 63);
      case 'double':
      case 'number':
        return type === POSITIVE || type === NEGATIVE || this.#isFloat() ? this.#passed() : this.#mismatch(schema);
      case 'bytes':
        return this.#bytes(schema);
      default:
        // Types with an UnmarshalJSON, which see JSON.
        return this.#passed();
    }
  }

  /** A text that its Go type reads further. */
  #text(schema: ScalarSchema, canonical: (text: string) => unknown): Found {
    if (!isText(this.#cursor.type)) return this.#mismatch(schema, 'string');
    try {
      canonical(utf8Text(this.#cursor.string()));
      return undefined;
    } catch (error) {
      if (isFormatError(error)) return { kind: 'value', message: error.message };
      throw error;
    }
  }

  #integer(schema: ScalarSchema, bound: number, goType = goTypeOf(schema)): Found {
    const { type } = this.#cursor;
    if (type !== POSITIVE && type !== NEGATIVE) return this.#mismatch(schema, goType);
    const { exact, value } = this.#cursor.head();
    if (value < bound) return undefined;
    const written = type === POSITIVE ? (exact ?? value) : exact === undefined ? -1 - value : -1n - exact;
    return { kind: 'type', found: nameOf(type), goType, note: `${written} overflows ${goType}` };
  }

  #bytes(schema: ScalarSchema): Found {
    const { type } = this.#cursor;
    if (type === LIST) return this.#passed();
    if (type !== BYTES) return this.#mismatch(schema);
    const text = this.#cursor.string();
    const offset = this.#laterTags > 0 ? undefined : corruptBase64(Buffer.from(text).toString('latin1'));
    return offset === undefined
      ? undefined
      : {
          kind: 'value',
          message: `cbor: failed to decode base64 from byte string: illegal base64 data at input byte ${offset}`,
        };
  }

  #passed(): undefined {
    this.#cursor.skip();
  }

  #mismatch(schema: Schema, goType = goTypeOf(schema)): Found {
    const { type } = this.#cursor;
    this.#cursor.skip();
    return schema.kind === 'struct' && type === LIST
      ? { kind: 'type', found: nameOf(type), goType, note: 'cannot decode CBOR array to struct without toarray option' }
      : { kind: 'type', found: nameOf(type), goType };
  }

  #isNull(): boolean {
    return this.#isSimple(NULL);
  }

  #isSimple(value: number): boolean {
    return this.#cursor.bytes[this.#cursor.at] === ((PRIMITIVE << 5) | value);
  }

  #isFloat(): boolean {
    return this.#cursor.type === PRIMITIVE && ((this.#cursor.bytes[this.#cursor.at] as number) & 0x1f) >= TWO_BYTES;
  }
}

function isText(type: number): boolean {
  return type === BYTES || type === TEXT;
}

function nameOf(type: number): string {
  return typeNames[type] as string;
}
