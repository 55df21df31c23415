import { goQuote } from '../../errors/go-format.ts';
import { FormatError } from '../../errors/format-error.ts';
import { limits } from '../../limits/limits.ts';
import type { GroupVersionKind, KubeObject } from '../../object/object.ts';
import { parseGroupVersion } from '../../runtime/group-version.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { Schema, StructSchema } from '../../schema/schema.ts';
import { WireError } from '../../wire/wire-error.ts';
import { WireReader } from '../../wire/wire-reader.ts';
import { WireWriter } from '../../wire/wire-writer.ts';
import { DecodeError } from '../decode-error.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { findKind, identify, requireKind } from '../identify.ts';
import { readMessage } from './decode-message.ts';
import { writeMessage } from './encode-message.ts';
import { isProtobuf, readEnvelope, writeEnvelope } from './envelope.ts';
import { UnsupportedWireTypeError } from './wire-plan.ts';

/**
 * An object in a field of another takes about as much of the stack as so many messages; counts against protobufDepth.
 */
const LEVELS_OF_OBJECT = 10;
/** Most objects are smaller. */
const OBJECT_BYTES = 4096;

/**
 * Whether objects of the schema have a protobuf form: built-in types do, custom resources do not.
 */
export function hasProtobuf(schema: Schema): schema is StructSchema {
  return schema.kind === 'struct' && schema.protobufMessage !== undefined;
}

/**
 * The object as `application/vnd.kubernetes.protobuf`: the `k8s\0` prefix and runtime.Unknown around the
 * message. Byte for byte what the reference writes.
 *
 * @throws UnsupportedWireTypeError when the type has no protobuf form
 */
export function encodeProtobuf(object: KubeObject, schema: Schema): Buffer {
  if (!hasProtobuf(schema)) throw new UnsupportedWireTypeError(object.kind ?? 'the object');
  const writer = new WireWriter(OBJECT_BYTES);
  writeEnvelope(writer, object.apiVersion ?? '', object.kind ?? '', (into) => writeMessage(into, object, schema));
  return writer.finish();
}

/**
 * The bare message without an envelope, e.g. the WatchEvent of a watch frame.
 * @throws UnsupportedWireTypeError when the type has no protobuf form
 */
export function encodeProtobufMessage(object: object, schema: Schema): Buffer {
  if (!hasProtobuf(schema)) throw new UnsupportedWireTypeError('the object');
  const writer = new WireWriter(OBJECT_BYTES);
  writeMessage(writer, object as Record<string, unknown>, schema);
  return writer.finish();
}

/**
 * Decodes an enveloped object as apimachinery's protobuf serializer does; kind and apiVersion default to the
 * expected ones. Unknown fields are skipped: protobuf has no strict mode. The result is in the form that
 * decodeJSON gives.
 *
 * @throws DecodeError with upstream's text
 */
export function decodeProtobuf(
  bytes: Uint8Array,
  expected: KindInfo | undefined,
  options: DecodeOptions = {},
): Decoded {
  return decodeWithin(0, bytes, expected, options);
}

/** The same of an object in a field of another one, which is nested so deep. */
function decodeWithin(
  depth: number,
  bytes: Uint8Array,
  expected: KindInfo | undefined,
  options: DecodeOptions,
): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length === 0) throw new DecodeError('Unreadable', 'empty data');
  if (!isProtobuf(buffer))
    throw new DecodeError(
      'Unreadable',
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  if (buffer.length === 4) throw new DecodeError('Unreadable', 'empty body');
  const envelope = wire(() => readEnvelope(buffer), undefined);
  const gvk = identify(
    // What names no version is as if it were not there (schema.FromAPIVersionAndKind).
    parseGroupVersion(envelope.apiVersion) === undefined ? '' : envelope.apiVersion,
    envelope.kind,
    expected,
    () => `runtime.TypeMeta{APIVersion:${goQuote(envelope.apiVersion)}, Kind:${goQuote(envelope.kind)}}`,
  );
  const kind = findKind(gvk, expected, options);
  const { schema } = kind;
  if (!hasProtobuf(schema)) {
    throw new DecodeError(
      'InvalidValue',
      `object *${kind.goType} does not implement the protobuf marshalling interface and cannot be decoded ` +
        'from a protobuf message',
      { gvk },
    );
  }
  const reader = new WireReader(envelope.raw, 0, envelope.raw.length, depth);
  if (options.outside === true) reader.allowItems(limits.bodyValues.value);
  const object = wire(
    () =>
      readMessage(reader, schema, {}, (raw, within) =>
        readObject(raw, within + LEVELS_OF_OBJECT, options),
      ) as KubeObject,
    gvk,
  );
  if (expected !== undefined && kind !== expected && options.accepts?.(kind) !== true) requireKind(kind, expected);
  object.kind = gvk.kind;
  object.apiVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`;
  return { object, gvk, kind, written: { apiVersion: envelope.apiVersion, kind: envelope.kind }, strictErrors: [] };
}

/** RawExtension can hold an enveloped object of its own (lists of mixed kinds, watch events). */
function readObject(raw: Buffer, depth: number, options: DecodeOptions): unknown {
  return isProtobuf(raw) && options.scheme !== undefined
    ? decodeWithin(depth, raw, undefined, { scheme: options.scheme, outside: options.outside === true }).object
    : undefined;
}

function wire<T>(read: () => T, gvk: GroupVersionKind | undefined): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof WireError || error instanceof FormatError) {
      throw new DecodeError(
        gvk === undefined ? 'Unreadable' : 'InvalidValue',
        error.message,
        gvk === undefined ? { cause: error } : { gvk, cause: error },
      );
    }
    throw error;
  }
}
