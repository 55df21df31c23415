import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TurnQueue } from '../../request/turn-queue.ts';
import { http1Limits } from './http1-limits.ts';
import { RequestPieces } from './request-pieces.ts';

/** Pipelined requests of a connection that may be unanswered before reading stops. */
const MANY = 32;
/** Unanswered requests at which reading goes on. */
const FEW = 8;

/**
 * Node resumes reading after each request without a body unless the socket's `_paused` is set. Node uses that flag for
 * itself, too: it sets and clears it by how many bytes of answers are still to be written.
 */
interface PausedSocket extends Socket {
  _paused?: boolean;
  /** Absent once the connection was upgraded. */
  readonly parser?: { resume(): void } | null;
}

interface Pipeline {
  open: number;
  /** Reading must stop, whatever Node's flag says. */
  paused: boolean;
  /** Waiting for its turn to read on. */
  waiting: boolean;
  /** Pauses it again when Node resumes it. */
  readonly onResume: () => void;
  readonly pieces: RequestPieces | undefined;
}

/**
 * Pipelined requests: those that come on a connection of HTTP/1.1 before the ones in front of them are answered. Node
 * parses what it reads, fifteen hundred of the smallest requests in 64 KiB, and reads on while there is more, which
 * held the event loop for seconds. So beyond some of them the rest is left unread, as by Go's server, and connections
 * take turns to read on; what was read already is parsed in pieces where the connection is followed from its beginning.
 */
export class Pipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  readonly #turns = new TurnQueue();
  readonly #headMs: number;

  /** @param headMs ms that a client has to send the head of a request */
  constructor(headMs: number = http1Limits.headersTimeout) {
    this.#headMs = headMs;
  }

  /** Has a connection's requests parsed in pieces; to be called when Node has begun with it. */
  follow(socket: Socket): void {
    this.#begin(socket, new RequestPieces(socket));
  }

  /** To be called with each response of a connection; it must emit `close` (open-responses.ts). */
  add(socket: PausedSocket, response: ServerResponse): void {
    const pipeline = this.#pipelines.get(socket) ?? this.#begin(socket);
    pipeline.open++;
    pipeline.pieces?.begun();
    response.once('close', () => {
      pipeline.open--;
      if (pipeline.paused && pipeline.open <= FEW && !pipeline.waiting) void this.#readOn(socket, pipeline);
    });
    if (pipeline.open < MANY) return;
    pipeline.paused = true;
    if (socket._paused === true) return;
    socket._paused = true;
    socket.pause();
  }

  /**
   * What Node says of a connection of which requests wait here, and not for their client: that one was not sent in
   * time, or not to its end. The time begins anew when reading goes on.
   * @param refuse called when the request is not there then either
   * @returns whether the connection goes on, or has ended without a word
   */
  excuse(socket: Socket, code: string | undefined, refuse: () => void): boolean {
    const pieces = this.#pipelines.get(socket)?.pieces;
    if (pieces === undefined || !pieces.waits) return false;
    if (code === 'HPE_INVALID_EOF_STATE') socket.destroy();
    else if (code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#askAgain(socket, pieces, refuse);
    else return false;
    return true;
  }

  #askAgain(socket: Socket, pieces: RequestPieces, refuse: () => void): void {
    const { requests, waits } = pieces;
    setTimeout(() => {
      if (socket.destroyed || (!pieces.waits && pieces.requests > requests)) return;
      if (waits || pieces.waits) this.#askAgain(socket, pieces, refuse);
      else refuse();
    }, this.#headMs).unref();
  }

  /**
   * To be called when a connection is upgraded: its new owner decides about reading.
   * @returns what was read behind the head of the upgrade, and is not parsed
   */
  leave(socket: PausedSocket): Buffer {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return Buffer.alloc(0);
    const rest = pipeline.pieces?.leave() ?? Buffer.alloc(0);
    this.#pipelines.delete(socket);
    socket.removeListener('resume', pipeline.onResume);
    pipeline.paused = false;
    if (socket._paused !== true || socket.destroyed) return rest;
    socket._paused = false;
    // Node's listeners, which start what they have stopped, are gone; the stream takes itself for reading.
    socket._read(0);
    return rest;
  }

  #begin(socket: PausedSocket, pieces?: RequestPieces): Pipeline {
    const pipeline: Pipeline = {
      open: 0,
      paused: false,
      waiting: false,
      onResume: () => {
        if (pipeline.paused) socket._paused = true;
      },
      pieces,
    };
    this.#pipelines.set(socket, pipeline);
    // Before Node's own listener, which stops reading again where the mark is set.
    socket.prependListener('resume', pipeline.onResume);
    return pipeline;
  }

  async #readOn(socket: PausedSocket, pipeline: Pipeline): Promise<void> {
    pipeline.waiting = true;
    await this.#turns.take(socket.remoteAddress ?? '');
    pipeline.waiting = false;
    // It has been left, or more has come that was read before.
    if (!pipeline.paused || pipeline.open > FEW) return;
    pipeline.paused = false;
    socket._paused = false;
    if (socket.destroyed) return;
    // Node pauses it where the mark is set behind a piece.
    socket.parser?.resume();
    socket.resume();
  }
}
