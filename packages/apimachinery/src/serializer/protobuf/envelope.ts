import { skipUnknown } from './skip-unknown.ts';
import { WireReader } from '../../wire/wire-reader.ts';
import type { WireWriter } from '../../wire/wire-writer.ts';

/** First bytes of every enveloped object (`k8s` and a zero byte). */
export const PROTOBUF_PREFIX: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

/** The fields contentEncoding and contentType without a value. */
const EMPTY_CONTENT: Uint8Array = Uint8Array.of(0x1a, 0, 0x22, 0);

const UNKNOWN_FIELDS = ['Unknown', 'TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'];
const TYPE_META_FIELDS = ['TypeMeta', 'APIVersion', 'Kind'];

/** runtime.Unknown: what an object is, and its bytes. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Whether the bytes begin as an enveloped object does. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x6b && bytes[1] === 0x38 && bytes[2] === 0x73 && bytes[3] === 0;
}

/**
 * Writes prefix and runtime.Unknown around what `writeRaw` writes. All its fields are always written, also empty ones.
 */
export function writeEnvelope(
  writer: WireWriter,
  apiVersion: string,
  kind: string,
  writeRaw: (writer: WireWriter) => void,
): void {
  writer.raw(EMPTY_CONTENT);
  let start = writer.length;
  writeRaw(writer);
  writer.close(0x12, start);
  start = writer.length;
  writer.textField(0x12, kind);
  writer.textField(0x0a, apiVersion);
  writer.close(0x0a, start);
  writer.raw(PROTOBUF_PREFIX);
}

/**
 * Reads the envelope; `bytes` must begin with the prefix.
 * @throws WireError
 */
export function readEnvelope(bytes: Buffer): Envelope {
  let apiVersion = '',
    kind = '',
    contentEncoding = '',
    contentType = '';
  let raw: Buffer = Buffer.alloc(0);
  const reader = new WireReader(bytes, PROTOBUF_PREFIX.length);
  for (let tag = reader.tag('Unknown'); tag !== 0; tag = reader.tag('Unknown')) {
    switch (tag) {
      case 0x0a: {
        const outer = reader.enter();
        for (let inner = reader.tag('TypeMeta'); inner !== 0; inner = reader.tag('TypeMeta')) {
          if (inner === 0x0a) apiVersion = reader.text();
          else if (inner === 0x12) kind = reader.text();
          else skipUnknown(reader, inner, TYPE_META_FIELDS);
        }
        reader.leave(outer);
        break;
      }
      case 0x12:
        raw = reader.bytes();
        break;
      case 0x1a:
        contentEncoding = reader.text();
        break;
      case 0x22:
        contentType = reader.text();
        break;
      default:
        skipUnknown(reader, tag, UNKNOWN_FIELDS);
    }
  }
  return { apiVersion, kind, raw, contentEncoding, contentType };
}
