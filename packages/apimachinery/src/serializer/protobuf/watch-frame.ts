import { Reader } from './reader.ts';
import { BackwardWriter } from './writer.ts';

/**
 * Frames larger than this are refused when read (upstream's limit of one frame is the reader's buffer; this is ours).
 */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/**
 * One event of `application/vnd.kubernetes.protobuf;stream=watch`: four bytes of big-endian length, then
 * meta/v1 WatchEvent { type = 1, object { raw = 1 } = 2 } without an envelope of its own.
 *
 * @param object the enveloped object (encodeProtobuf)
 */
export function encodeWatchFrame(type: string, object: Uint8Array): Buffer {
  const writer = new BackwardWriter();
  writer.bytes(object);
  writer.varint(object.length);
  writer.byte(0x0a);
  writer.varint(writer.length);
  writer.byte(0x12);
  writer.varint(writer.text(type));
  writer.byte(0x0a);
  const length = writer.length;
  writer.bytes(Uint8Array.of(length >>> 24, (length >>> 16) & 0xff, (length >>> 8) & 0xff, length & 0xff));
  return writer.finish();
}

export interface WatchFrame {
  readonly type: string;
  readonly object: Buffer;
}

/**
 * Reads the first frame of a stream's bytes.
 *
 * @returns the event and where the next frame begins; undefined while the frame is incomplete
 * @throws RangeError when the frame claims to be larger than 64 MiB
 * @throws WireError when it is no WatchEvent
 */
export function decodeWatchFrame(bytes: Buffer): { readonly frame: WatchFrame; readonly next: number } | undefined {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length > MAX_FRAME_BYTES) throw new RangeError(`watch frame of ${length} bytes exceeds ${MAX_FRAME_BYTES}`);
  if (bytes.length < 4 + length) return undefined;
  let type = '',
    object: Buffer = Buffer.alloc(0);
  const reader = new Reader(bytes, 4, 4 + length);
  while (!reader.done) {
    const tag = reader.tag();
    if (tag >>> 3 === 1) type = reader.text();
    else if (tag >>> 3 === 2) {
      const extension = reader.message();
      while (!extension.done) {
        const inner = extension.tag();
        if (inner >>> 3 === 1) object = extension.bytes();
        else extension.skip(inner);
      }
    } else reader.skip(tag);
  }
  return { frame: { type, object }, next: 4 + length };
}
