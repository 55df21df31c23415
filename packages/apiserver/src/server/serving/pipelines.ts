import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TurnQueue } from '../../request/turn-queue.ts';

/** Requests of a connection whose answers are not over; with so many, no more are read. */
const MANY = 32;
/** With so few, reading goes on. */
const FEW = 8;

/**
 * Node reads on for each request that has no body, unless `_paused` says that it is not to. That is Node's own mark as
 * well: it sets and clears it by how much of the answers is still to be written.
 */
interface PausedSocket extends Socket {
  _paused?: boolean;
  /** None on connections that are no longer HTTP's. */
  readonly parser?: { resume(): void } | null;
}

interface Pipeline {
  open: number;
  /** No more is to be read, whatever Node's mark says. */
  paused: boolean;
  /** It waits for its turn at going on. */
  waiting: boolean;
  /** Pauses it again where Node goes on. */
  readonly onResume: () => void;
}

/**
 * Requests that come on a connection of HTTP/1.1 before those in front of them are answered. They are parsed as they
 * are read, two thousand of the smallest in 64 KiB and so on while there are more, which held the loop for seconds: so
 * what is behind some of them is left unread, as by Go's server, and connections take turns at going on.
 */
export class Pipelines {
  readonly #pipelines = new WeakMap<Socket, Pipeline>();
  readonly #turns = new TurnQueue();

  /** To be called with each response of a connection, which has to tell `close`. */
  add(socket: PausedSocket, response: ServerResponse): void {
    const pipeline = this.#pipelines.get(socket) ?? this.#begin(socket);
    pipeline.open++;
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

  /** To be called when a connection is no longer HTTP's: whoever has it then reads as they like. */
  leave(socket: PausedSocket): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return;
    this.#pipelines.delete(socket);
    socket.removeListener('resume', pipeline.onResume);
    pipeline.paused = false;
    if (socket._paused !== true || socket.destroyed) return;
    socket._paused = false;
    // Node's listeners, which start what they have stopped, are gone; the stream takes itself for reading.
    socket._read(0);
  }

  #begin(socket: PausedSocket): Pipeline {
    const pipeline: Pipeline = {
      open: 0,
      paused: false,
      waiting: false,
      onResume: () => {
        if (pipeline.paused) socket._paused = true;
      },
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
