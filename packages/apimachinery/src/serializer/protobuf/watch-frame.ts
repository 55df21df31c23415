import { WireReader } from '../../wire/wire-reader.ts';
import { WireWriter } from '../../wire/wire-writer.ts';

/**
 * Frames larger than this are refused when read (upstream's limit of one frame is the reader's buffer; this is ours).
 */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** Length, tags and type around an object: the type has at most eight characters. */
const FRAME_OVERHEAD_BYTES = 32;

/**
 * One event of `application/vnd.kubernetes.protobuf;stream=watch`: four bytes of big-endian length, then
 * meta/v1 WatchEvent { type = 1, object { raw = 1 } = 2 } without an envelope of its own.
 *
 * @param object the enveloped object (encodeProtobuf)
 */
export function encodeWatchFrame(type: string, object: Uint8Array): Buffer {
  const writer = new WireWriter(object.length + FRAME_OVERHEAD_BYTES);
  writer.bytesField(0x0a, object);
  writer.close(0x12, 0);
  writer.textField(0x0a, type);
  writer.uint32BE(writer.length);
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
  const reader = new WireReader(bytes, 4, 4 + length);
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) type = reader.text();
    else if (tag === 0x12) {
      const outer = reader.enter();
      for (let inner = reader.tag(); inner !== 0; inner = reader.tag()) {
        if (inner === 0x0a) object = reader.bytes();
        else reader.skip(inner);
      }
      reader.leave(outer);
    } else reader.skip(tag);
  }
  return { frame: { type, object }, next: 4 + length };
}
