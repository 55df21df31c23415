import { decodeWatchFrame } from '@kubechain/apimachinery';
import { closeFrame, messageFrame } from '../streaming/web-socket.ts';
import { expiredEvent, isJSONBookmark, type WatchStream } from './watch-stream.ts';

const opText = 0x1;
const opBinary = 0x2;
const [carriageReturn, newline] = [0x0d, 0x0a];
const endOfHead = [carriageReturn, newline, carriageReturn, newline];
const accepted = 'HTTP/1.1 101';
/** Of a protobuf event, which messages leave out: they have a length of their own. */
const lengthPrefixBytes = 4;

/**
 * What a server sends over a WebSocket, the answer of its handshake first: unmasked frames, a message for each event.
 *
 *     HTTP/1.1 101 … ⏎⏎ │ head payload │ head payload │ …        any other answer: bytes that are left alone
 */
export class WebSocketStream implements WatchStream {
  #binary: boolean;
  #handshake: Handshake = { phase: 'handshake', status: '', blank: 0 };
  /** Of the frame's head that is being read. */
  readonly #head: number[] = [];
  /** Bytes that the current frame still has. */
  #left = 0;

  /** @param binary whether events are protobuf, as long as none has come */
  constructor(binary: boolean) {
    this.#binary = binary;
  }

  /** Whether the handshake is over, so that events can come. */
  get isOpen(): boolean {
    return this.#handshake.phase === 'frames';
  }

  get betweenEvents(): boolean {
    return this.isOpen && this.#left === 0 && this.#head.length === 0;
  }

  /** How many of the next bytes are no events: those of the handshake, or of a refusal. */
  leadingBytes(piece: Uint8Array): number {
    return readOn(this.#handshake, piece).bytes;
  }

  sent(piece: Uint8Array): void {
    const { bytes, ...handshake } = readOn(this.#handshake, piece);
    this.#handshake = handshake;
    for (let at = bytes; at < piece.length;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, piece.length - at);
        this.#left -= taken;
        at += taken;
        continue;
      }
      this.#head.push(piece[at++] as number);
      const size = frameSize(this.#head);
      if (size === undefined) continue;
      const opcode = (this.#head[0] as number) & 0x0f;
      if (opcode === opText || opcode === opBinary) this.#binary = opcode === opBinary;
      this.#left = size.payload;
      this.#head.length = 0;
    }
  }

  endOfEvent(bytes: Buffer): number | undefined {
    const size = frameSize(bytes);
    if (size === undefined) return undefined;
    const end = size.head + size.payload;
    return end > bytes.length ? undefined : end;
  }

  isBookmark(event: Buffer): boolean {
    const payload = event.subarray(frameSize(event)?.head ?? 0);
    switch ((event[0] as number) & 0x0f) {
      case opText:
        return isJSONBookmark(payload);
      case opBinary: {
        const length = Buffer.alloc(lengthPrefixBytes);
        length.writeUInt32BE(payload.length);
        return decodeWatchFrame(Buffer.concat([length, payload]))?.frame.type === 'BOOKMARK';
      }
      default:
        return false;
    }
  }

  /** That event, and the end of the WebSocket. */
  expired(): Buffer {
    const message = this.#binary
      ? messageFrame('binary', expiredEvent('protobuf').subarray(lengthPrefixBytes))
      : messageFrame('text', expiredEvent('json'));
    return Buffer.concat([message, closeFrame()]);
  }
}

/** How far the answer of a handshake has been read. */
interface Handshake {
  readonly phase: 'handshake' | 'frames' | 'refused';
  readonly status: string;
  /** Bytes of the blank line behind it that were seen. */
  readonly blank: number;
}

/** Reads on in the next piece, of which so many bytes are no frames. */
function readOn(handshake: Handshake, piece: Uint8Array): Handshake & { readonly bytes: number } {
  if (handshake.phase !== 'handshake') return { ...handshake, bytes: handshake.phase === 'frames' ? 0 : piece.length };
  let { blank, status } = handshake;
  for (let at = 0; at < piece.length; at++) {
    if (status.length < accepted.length) status += String.fromCharCode(piece[at] as number);
    blank = nextBlank(blank, piece[at] as number);
    if (blank < endOfHead.length) continue;
    return status === accepted
      ? { phase: 'frames', status, blank, bytes: at + 1 }
      : { phase: 'refused', status, blank, bytes: piece.length };
  }
  return { phase: 'handshake', status, blank, bytes: piece.length };
}

function nextBlank(seen: number, byte: number): number {
  if (byte === endOfHead[seen]) return seen + 1;
  return byte === carriageReturn ? 1 : 0;
}

/** Bytes of the head of an unmasked frame, and of what follows; undefined while the head is not all there. */
function frameSize(bytes: ArrayLike<number>): { readonly head: number; readonly payload: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  if (bytes.length < 2 + lengthBytes) return undefined;
  let payload = lengthBytes === 0 ? short : 0;
  for (let at = 2; at < 2 + lengthBytes; at++) payload = payload * 256 + (bytes[at] as number);
  return { head: 2 + lengthBytes, payload };
}
