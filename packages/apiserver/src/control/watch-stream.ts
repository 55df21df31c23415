import { decodeWatchFrame, encodeWatchFrame, type Status } from '@kubechain/apimachinery';
import { encodeProtobufObject } from '../endpoints/handlers/response/encode-protobuf.ts';

/** What a watch gets whose resourceVersion has been compacted. */
const expired = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'The resourceVersion for the provided watch is too old.',
  reason: 'Expired',
  code: 410,
} as const satisfies Status;

const newline = 0x0a;
const jsonBookmark = Buffer.from('{"type":"BOOKMARK"');
/** Bytes of the length before each frame of a protobuf stream. */
const lengthBytes = 4;

/** Follows what a watch is sent, in pieces that may end anywhere: whether an event can be put in where it is. */
export interface WatchStream {
  readonly betweenEvents: boolean;
  sent(piece: Uint8Array): void;
  /** Where the first event of these bytes ends, which begin with one; undefined when not all of it is there. */
  endOfEvent(bytes: Buffer): number | undefined;
  isBookmark(event: Buffer): boolean;
  /** An event that says that the watch's resourceVersion has expired, in the stream's own form. */
  expired(): Buffer;
}

/** The stream of a media type; undefined for one that is not known. */
export function watchStream(contentType: string): WatchStream | undefined {
  if (/^application\/json\b/.test(contentType)) return new JSONStream();
  return contentType.startsWith('application/vnd.kubernetes.protobuf') ? new ProtobufStream() : undefined;
}

/** Whether an event in JSON is a bookmark. */
export function isJSONBookmark(event: Buffer): boolean {
  return event.subarray(0, jsonBookmark.length).equals(jsonBookmark);
}

/** An event that says that the watch's resourceVersion has expired, as a stream has it. */
export function expiredEvent(form: 'json' | 'protobuf'): Buffer {
  return form === 'json'
    ? Buffer.from(`${JSON.stringify({ type: 'ERROR', object: expired })}\n`)
    : encodeWatchFrame('ERROR', encodeProtobufObject(expired));
}

/** An event a line. */
class JSONStream implements WatchStream {
  betweenEvents = true;

  sent(piece: Uint8Array): void {
    if (piece.length > 0) this.betweenEvents = piece[piece.length - 1] === newline;
  }

  endOfEvent(bytes: Buffer): number | undefined {
    const at = bytes.indexOf(newline);
    return at === -1 ? undefined : at + 1;
  }

  isBookmark(event: Buffer): boolean {
    return isJSONBookmark(event);
  }

  expired(): Buffer {
    return expiredEvent('json');
  }
}

/** Each event behind its length. */
class ProtobufStream implements WatchStream {
  /** Of the length that is being read. */
  #lengthRead = 0;
  #length = 0;
  /** Bytes that the current event still has. */
  #left = 0;

  get betweenEvents(): boolean {
    return this.#left === 0 && this.#lengthRead === 0;
  }

  sent(piece: Uint8Array): void {
    for (let at = 0; at < piece.length;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, piece.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      this.#length = this.#length * 256 + (piece[at++] as number);
      if (++this.#lengthRead < lengthBytes) continue;
      this.#left = this.#length;
      this.#length = 0;
      this.#lengthRead = 0;
    }
  }

  endOfEvent(bytes: Buffer): number | undefined {
    if (bytes.length < lengthBytes) return undefined;
    const end = lengthBytes + bytes.readUInt32BE(0);
    return end > bytes.length ? undefined : end;
  }

  isBookmark(event: Buffer): boolean {
    return decodeWatchFrame(event)?.frame.type === 'BOOKMARK';
  }

  expired(): Buffer {
    return expiredEvent('protobuf');
  }
}
