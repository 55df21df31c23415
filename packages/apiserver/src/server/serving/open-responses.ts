import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { tlsSocketOf } from '../../request/tls-socket.ts';
import { hasBody } from './left-body.ts';
import { readOn } from './vanished-peers.ts';

/** How often the requests of a connection are looked at for such as have ended and Node has not told of. */
const lookMs = 1_000;
/** What of a body may wait for its reader while the end of its connection is looked for: more than a body may have. */
const unreadBytes = 4 * 1024 * 1024;

const connections = new WeakMap<Socket, OpenResponses>();

/**
 * Makes it certain that a response tells `close`, once, whatever becomes of its request: what is taken for a request
 * (its place in flow control first of all) is given back then. No response outlives its connection, nor its stream.
 * Node leaves it out for HEAD over HTTP/2 without an answer, for streams that are reset without an error before all of
 * them was read or written, and for requests that wait behind others on a connection of HTTP/1.1.
 *
 * @returns false for a request that is over already: it is not to be answered
 */
export function followResponse(request: IncomingMessage, response: ServerResponse): boolean {
  const { stream } = request as { readonly stream?: ServerHttp2Stream };
  // Reset in the same breath in which it was opened: nobody would be told of its end.
  if (stream !== undefined && isGone(stream)) return false;
  const socket = tlsSocketOf(request) ?? request.socket;
  if (socket.destroyed) return false;
  let open = connections.get(socket);
  if (open === undefined) connections.set(socket, (open = new OpenResponses(socket)));
  open.add(response, stream);
  return true;
}

/** Whether a response that is followed has not told `close` yet. */
export function isOpen(request: IncomingMessage, response: ServerResponse): boolean {
  return connections.get(tlsSocketOf(request) ?? request.socket)?.has(response) === true;
}

/**
 * Calls back when all earlier requests of an upgrade's connection are answered: at once when there are none, never when
 * the connection ends before. A client may send an upgrade behind requests whose answers it has not got.
 */
export function whenAnswered(request: IncomingMessage, socket: Duplex, then: () => void): void {
  const open = connections.get(tlsSocketOf(request) ?? request.socket);
  if (open === undefined || open.isEmpty) then();
  else open.whenEmpty(socket, then);
}

function isGone({ closed, destroyed, session }: ServerHttp2Stream): boolean {
  return destroyed || closed || session === undefined || session.destroyed;
}

/** The responses that are open on a connection. */
class OpenResponses {
  readonly #socket: Socket;
  readonly #responses = new Map<ServerResponse, ServerHttp2Stream | undefined>();
  #looking: NodeJS.Timeout | undefined = undefined;
  /** What waits for all of them to close. */
  #emptied = (): void => undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.once('close', () => {
      for (const response of this.#responses.keys()) close(response);
    });
  }

  add(response: ServerResponse, stream: ServerHttp2Stream | undefined): void {
    this.#responses.set(response, stream);
    response.once('close', () => {
      this.#remove(response);
    });
    if (stream !== undefined) {
      stream.once('aborted', destroySoon);
      stream.once('close', () => {
        if (this.#responses.has(response)) close(response);
      });
    } else if (!hasBody(response.req)) return;
    this.#looking ??= setInterval(() => {
      this.#look();
    }, lookMs).unref();
  }

  has(response: ServerResponse): boolean {
    return this.#responses.has(response);
  }

  get isEmpty(): boolean {
    return this.#responses.size === 0;
  }

  whenEmpty(socket: Duplex, then: () => void): void {
    // Node does not tell them any more: it takes its listeners off the socket of an upgrade.
    const drain = (): void => {
      for (const response of this.#responses.keys()) if (response.writableNeedDrain) response.emit('drain');
    };
    socket.on('drain', drain);
    this.#emptied = () => {
      socket.off('drain', drain);
      if (!socket.destroyed) then();
    };
  }

  #remove(response: ServerResponse): void {
    this.#responses.delete(response);
    if (!this.isEmpty) return;
    const emptied = this.#emptied;
    this.#emptied = () => undefined;
    emptied();
  }

  #look(): void {
    for (const [response, stream] of this.#responses) {
      if (stream?.closed === true) stream.destroy();
      if (stream === undefined && waitsForReader(response.req)) readOn(this.#socket);
    }
    if (this.#responses.size > 0) return;
    clearInterval(this.#looking);
    this.#looking = undefined;
  }
}

function waitsForReader(request: IncomingMessage): boolean {
  return !request.complete && request.readableLength < unreadBytes;
}

/** The client has reset it. Node is in the middle of that, and may leave it there. */
function destroySoon(this: ServerHttp2Stream): void {
  setImmediate(() => {
    this.destroy();
  });
}

function close(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}
