import { FrameType, frameHeadBytes, LinkProtocolError, longestFieldsBytes } from './frames.ts';

/**
 * Takes what comes over a link. Bytes are only good until the call returns, unless the caller of the reader says
 * more.
 */
export interface FrameHandler {
  /** A whole frame that is not `data`. */
  frame(type: number, flags: number, id: number, payload: Buffer): void;
  /** A piece of a `data` frame; `last` for its last one. */
  data(id: number, flags: number, piece: Buffer, last: boolean): void;
}

/** The longest `shared` frame: an object of 3 MiB grows in an event, and thousands of streams have a number each. */
const longestSharedBytes = 64 * 1024 * 1024;
const none = Buffer.alloc(0);

/**
 * Cuts the bytes of a connection into frames. Bytes of bodies are handed on as they come, everything else when it is
 * whole. Nothing is copied but frames that were cut by the edge of a read.
 */
export class FrameReader {
  readonly #handler: FrameHandler;
  readonly #head = Buffer.alloc(frameHeadBytes);
  #headLength = 0;
  #type = 0;
  #flags = 0;
  #id = 0;
  /** Bytes of the frame that have not come yet. */
  #left = 0;
  /** What has come of a frame that must be whole; undefined while none is cut. */
  #partial: Buffer | undefined = undefined;
  #inFrame = false;

  constructor(handler: FrameHandler) {
    this.#handler = handler;
  }

  /** @throws LinkProtocolError */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#inFrame) {
        at = this.#readHead(chunk, at);
        if (!this.#inFrame) return;
        if (this.#left === 0) {
          this.#whole(none);
          continue;
        }
        if (at === chunk.length) return;
      }
      const taken = Math.min(this.#left, chunk.length - at);
      if (this.#type === FrameType.data) this.#dataPiece(chunk.subarray(at, at + taken));
      else if (this.#partial === undefined && taken === this.#left) this.#whole(chunk.subarray(at, at + taken));
      else this.#keep(chunk, at, taken);
      at += taken;
    }
  }

  #readHead(chunk: Buffer, start: number): number {
    let at = start;
    let head = chunk;
    let from = at;
    if (this.#headLength === 0 && chunk.length - at >= frameHeadBytes) at += frameHeadBytes;
    else {
      const taken = Math.min(frameHeadBytes - this.#headLength, chunk.length - at);
      chunk.copy(this.#head, this.#headLength, at, at + taken);
      this.#headLength += taken;
      at += taken;
      if (this.#headLength < frameHeadBytes) return at;
      head = this.#head;
      from = 0;
    }
    this.#headLength = 0;
    this.#type = head[from] as number;
    this.#flags = head[from + 1] as number;
    this.#id = head.readUInt32BE(from + 4);
    this.#left = head.readUInt32BE(from + 8);
    this.#inFrame = true;
    checkHead(this.#type, this.#left);
    return at;
  }

  #dataPiece(piece: Buffer): void {
    this.#left -= piece.length;
    const last = this.#left === 0;
    if (last) this.#inFrame = false;
    this.#handler.data(this.#id, this.#flags, piece, last);
  }

  #keep(chunk: Buffer, at: number, taken: number): void {
    this.#partial ??= Buffer.allocUnsafeSlow(this.#left);
    const partial = this.#partial;
    chunk.copy(partial, partial.length - this.#left, at, at + taken);
    if (this.#left > taken) {
      this.#left -= taken;
      return;
    }
    this.#partial = undefined;
    this.#whole(partial);
  }

  #whole(payload: Buffer): void {
    this.#inFrame = false;
    this.#left = 0;
    if (this.#type === FrameType.data) this.#handler.data(this.#id, this.#flags, payload, true);
    else this.#handler.frame(this.#type, this.#flags, this.#id, payload);
  }
}

function checkHead(type: number, length: number): void {
  if (type === FrameType.data) return;
  if (type < FrameType.block || type > FrameType.goaway) throw new LinkProtocolError(`no frame has type ${type}`);
  if (length > (type === FrameType.shared ? longestSharedBytes : longestFieldsBytes))
    throw new LinkProtocolError(`a frame of ${length} bytes is too long`);
}
