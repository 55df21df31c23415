import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TurnQueue } from '../request/turn-queue.ts';

/** Requests of a connection whose answers are not over; with so many, no more are read. */
const MANY = 32;
/** With so few, reading goes on. */
const FEW = 8;

/** Node reads on for each request that has no body, unless this says that it is not to. */
interface PausedSocket extends Socket {
  _paused?: boolean;
}

interface Pipeline {
  open: number;
  paused: boolean;
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
    let pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) this.#pipelines.set(socket, (pipeline = { open: 0, paused: false }));
    const of = pipeline;
    of.open++;
    response.once('close', () => {
      of.open--;
      if (of.paused && of.open === FEW) void this.#readOn(socket, of);
    });
    if (of.open < MANY || of.paused) return;
    of.paused = true;
    socket._paused = true;
    socket.pause();
  }

  async #readOn(socket: PausedSocket, pipeline: Pipeline): Promise<void> {
    await this.#turns.take(socket.remoteAddress ?? '');
    pipeline.paused = false;
    socket._paused = false;
    if (!socket.destroyed) socket.resume();
  }
}
