import type { BackwardWriter } from './writer.ts';
import { Reader } from './reader.ts';

/** First bytes of every enveloped object (`k8s` and a zero byte). */
export const PROTOBUF_PREFIX: Uint8Array = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);

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
  writer: BackwardWriter,
  apiVersion: string,
  kind: string,
  writeRaw: (writer: BackwardWriter) => void,
): void {
  writer.bytes(Uint8Array.of(0x1a, 0, 0x22, 0));
  let start = writer.length;
  writeRaw(writer);
  writer.varint(writer.length - start);
  writer.byte(0x12);
  start = writer.length;
  writer.varint(writer.text(kind));
  writer.byte(0x12);
  writer.varint(writer.text(apiVersion));
  writer.byte(0x0a);
  writer.varint(writer.length - start);
  writer.byte(0x0a);
  writer.bytes(PROTOBUF_PREFIX);
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
  const reader = new Reader(bytes, PROTOBUF_PREFIX.length);
  while (!reader.done) {
    const tag = reader.tag();
    switch (tag >>> 3) {
      case 1: {
        const meta = reader.message();
        while (!meta.done) {
          const inner = meta.tag();
          if (inner >>> 3 === 1) apiVersion = meta.text();
          else if (inner >>> 3 === 2) kind = meta.text();
          else meta.skip(inner);
        }
        break;
      }
      case 2:
        raw = reader.bytes();
        break;
      case 3:
        contentEncoding = reader.text();
        break;
      case 4:
        contentType = reader.text();
        break;
      default:
        reader.skip(tag);
    }
  }
  return { apiVersion, kind, raw, contentEncoding, contentType };
}
