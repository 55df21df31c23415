import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from '../../../streaming/web-socket.ts';
import { acceptWebSocket } from '../../../streaming/web-socket-handshake.ts';
import type { MediaType } from '../../../negotiation/media-types.ts';
import type { FrameTarget } from './watch-response.ts';

/** How a watch is answered: where its frames go, and what begins it. */
export interface WatchAnswer {
  readonly frames: FrameTarget;
  /** Whether the answer has begun, so that errors can only be frames. */
  readonly begun: boolean;
  /** Told before the first frame may come. */
  prepare(mediaType: MediaType): void;
  /** The watch is established. Idempotent. */
  begin(): void;
}

/** A chunked response. */
export class ResponseAnswer implements WatchAnswer {
  readonly frames: ServerResponse;
  constructor(response: ServerResponse) {
    this.frames = response;
  }

  get begun(): boolean {
    return this.frames.headersSent;
  }
  prepare(mediaType: MediaType): void {
    this.frames.setHeader('Content-Type', mediaType.streamName as string);
  }
  begin(): void {
    this.frames.flushHeaders();
  }
}

/** Length that goes before each frame of a protobuf stream; messages have their own. */
const lengthPrefixBytes = 4;

/**
 * A WebSocket with one message per event: text for JSON, with the line feed that ends it in a stream, binary for
 * protobuf and CBOR (handlers/watch.go HandleWS). The handshake is answered when the watch is established or brings
 * its first event, as refusals of the watch itself are plain answers.
 */
export class WebSocketAnswer implements WatchAnswer, FrameTarget {
  readonly #request: IncomingMessage;
  readonly #socket: Duplex;
  readonly #head: Buffer;
  #binary = false;
  #prefixBytes = 0;
  #begun = false;
  #connection: WebSocket | undefined = undefined;

  constructor(request: IncomingMessage, socket: Duplex, head: Buffer) {
    this.#request = request;
    this.#socket = socket;
    this.#head = head;
  }

  get frames(): FrameTarget {
    return this;
  }
  get begun(): boolean {
    return this.#begun;
  }
  get writableEnded(): boolean {
    return this.#connection?.writableEnded ?? this.#begun;
  }

  prepare(mediaType: MediaType): void {
    this.#binary = mediaType.format !== 'json';
    this.#prefixBytes = mediaType.format === 'protobuf' ? lengthPrefixBytes : 0;
  }

  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    if (acceptWebSocket(this.#request, this.#socket))
      this.#connection = new WebSocket(this.#socket, { head: this.#head, kind: this.#binary ? 'binary' : 'text' });
  }

  write(frame: Uint8Array): boolean {
    this.begin();
    return this.#connection?.write(frame.subarray(this.#prefixBytes)) ?? true;
  }

  end(): void {
    this.begin();
    this.#connection?.end();
  }

  on(event: 'drain', listener: () => void): void {
    this.#socket.on(event, listener);
  }
  once(event: 'close', listener: () => void): void {
    this.#socket.once(event, listener);
  }
}
