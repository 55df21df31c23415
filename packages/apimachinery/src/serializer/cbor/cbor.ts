import { isFormatError } from '../../errors/format-error.ts';
import { messageOf } from '../../errors/message-of.ts';
import type { GroupVersionKind, JSONValue } from '../../object/object.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { Schema, StructSchema } from '../../schema/schema.ts';
import { DecodeError, isDecodeError } from '../decode-error.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { parseGroupVersion } from '../../runtime/group-version.ts';
import { findKind, identify } from '../identify.ts';
import { decodeExactly } from '../json/decode.ts';
import { plainValue } from '../json/plain-value.ts';
import { RawObject, type RawValue } from '../json/tree.ts';
import { Cursor } from './cursor.ts';
import { diagnose } from './diagnose.ts';
import { interpret, type WrittenType } from './interpret.ts';
import { readTree } from './read-tree.ts';
import { findMistake, mistakeText } from './typed-check.ts';
import { checkWellFormed } from './well-formed.ts';
import { CBORWriter } from './write-cbor.ts';

/**
 * As decodeJSON, for an object in CBOR. A strict reader tells of the first unknown field only, by its place, and an
 * object that has a key twice is never read.
 */
export function decodeCBOR(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions = {}): Decoded {
  const written = withVersion(readType(bytes, expected, options), expected);
  const gvk = identify(written.apiVersion, written.kind, expected, () => diagnose(bytes));
  if (expected?.unstructured === true && gvk.version === '')
    throw new DecodeError('MissingVersion', `Object 'apiVersion' is missing in '${diagnose(bytes)}'`, { gvk });
  const info = expected === undefined && options.scheme === undefined ? undefined : findKind(gvk, expected, options);
  const schema =
    info === undefined || info.unstructured === true || info.schema.kind !== 'struct' ? undefined : info.schema;
  const strict = options.strict === 'Warn' || options.strict === 'Strict';
  const strictErrors = schema === undefined ? [] : checkFields(bytes, schema, { gvk, strict });
  return decodeExactly(readBody(bytes, { gvk, typed: schema !== undefined }), {
    text: '',
    expected,
    // The reference does not look for unknown fields of custom objects in CBOR.
    options: expected?.unstructured === true ? { ...options, strict: 'Ignore' } : options,
    strictErrors,
    said: { gvk, meta: written },
  });
}

/** What names no version that can be read says nothing of it, and of an unstructured object nothing at all. */
function withVersion(written: WrittenType, expected: KindInfo | undefined): WrittenType {
  if (parseGroupVersion(written.apiVersion) !== undefined) return written;
  return { apiVersion: '', kind: expected?.unstructured === true ? '' : written.kind };
}

/** What an object says that it is. @throws DecodeError `Unreadable` */
function readType(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions): WrittenType {
  try {
    checkWellFormed(bytes, { outside: options.outside === true });
    // Of an unstructured object this is looked for in what was read of it, where anything may stand.
    return expected?.unstructured === true
      ? (typeOf(tree(bytes)) ?? interpret(new Cursor(bytes)))
      : interpret(new Cursor(bytes));
  } catch (error) {
    if (!isFormatError(error) && !isDecodeError(error)) throw error;
    throw new DecodeError('Unreadable', `unable to determine group/version/kind: ${error.message}`, { cause: error });
  }
}

/** Undefined where it cannot be read. */
function tree(bytes: Uint8Array): RawValue | undefined {
  try {
    return readTree(new Cursor(bytes));
  } catch (error) {
    if (isFormatError(error)) return undefined;
    throw error;
  }
}

function typeOf(read: RawValue | undefined): WrittenType | undefined {
  if (read === null) return { apiVersion: '', kind: '' };
  if (!(read instanceof RawObject)) return undefined;
  const text = (name: string): string => {
    const value = read.values[read.keys.indexOf(name)];
    return typeof value === 'string' ? value : '';
  };
  return { apiVersion: text('apiVersion'), kind: text('kind') };
}

/** What a strict reader says of the object. @throws DecodeError `InvalidValue` */
function checkFields(
  bytes: Uint8Array,
  schema: StructSchema,
  { gvk, strict }: { readonly gvk: GroupVersionKind; readonly strict: boolean },
): readonly string[] {
  const cursor = new Cursor(bytes);
  const mistake = findMistake(cursor, schema, { strict: false });
  if (mistake !== undefined) throw new DecodeError('InvalidValue', mistakeText(mistake), { gvk });
  const unknown = strict ? findMistake(cursor, schema, { strict }) : undefined;
  return unknown === undefined ? [] : [mistakeText(unknown)];
}

/** @throws DecodeError `InvalidValue` */
function readBody(
  bytes: Uint8Array,
  { gvk, typed }: { readonly gvk: GroupVersionKind; readonly typed: boolean },
): RawValue {
  try {
    return readTree(new Cursor(bytes), { typed });
  } catch (error) {
    if (!isFormatError(error)) throw error;
    throw new DecodeError('InvalidValue', error.message, { gvk, cause: error });
  }
}

/**
 * Any value in CBOR, for bodies that are no objects of the API.
 * @throws DecodeError `Unreadable` in the words of the reference's library
 * @throws StatusError 413 for more values than a client may send
 */
export function readCBOR(bytes: Uint8Array): JSONValue {
  checkWellFormed(bytes, { outside: true });
  try {
    return plainValue(readTree(new Cursor(bytes)));
  } catch (error) {
    throw isFormatError(error) ? new DecodeError('Unreadable', messageOf(error), { cause: error }) : error;
  }
}

/**
 * An object in CBOR, behind the tag that says so. With a schema bytes are written as such. `sorted`: equal objects are
 * equal bytes, as they have to be where they are stored.
 */
export function encodeCBOR(
  object: unknown,
  { schema, sorted = false }: { readonly schema?: Schema | undefined; readonly sorted?: boolean } = {},
): Buffer {
  const writer = new CBORWriter({ sorted });
  writer.prefix();
  writer.value(object, schema);
  return writer.finish();
}
