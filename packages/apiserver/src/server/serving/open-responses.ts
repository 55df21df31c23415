import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { tlsSocketOf } from '../../request/tls-socket.ts';
import { hasBody } from './left-body.ts';
import { readOn } from './vanished-peers.ts';

/** How often a connection's requests are checked for ones that have ended without an event of Node's. */
const lookMs = 1_000;
/** Bytes of a body that may wait for their reader while we look for the connection's end; more than a body may have. */
const unreadBytes = 4 * 1024 * 1024;

const connections = new WeakMap<Socket, OpenResponses>();

/**
 * Makes sure that a response emits `close` exactly once, whatever becomes of its request: everything that is held for
 * a request (first of all its seat in flow control) is released then. No response outlives its connection or stream.
 * Node itself emits no `close` for HEAD over HTTP/2 without an answer, for streams that are reset without an error
 * before they were read or written completely, and for pipelined requests that wait on a connection of HTTP/1.1.
 *
 * @returns false when the request is already over and must not be answered
 */
export function followResponse(request: IncomingMessage, response: ServerResponse): boolean {
  const { stream } = request as { readonly stream?: ServerHttp2Stream };
  // Reset as soon as it was opened: no event would tell of its end.
  if (stream !== undefined && isGone(stream)) return false;
  const socket = tlsSocketOf(request) ?? request.socket;
  if (socket.destroyed) return false;
  let open = connections.get(socket);
  if (open === undefined) {
    connections.set(socket, (open = new OpenResponses(socket)));
    // Those of HTTP/2 close with their streams.
    if (stream === undefined) open.closeWithConnection();
  }
  open.add(response, stream);
  return true;
}

/** Whether a followed response has not emitted `close` yet. */
export function isOpen(request: IncomingMessage, response: ServerResponse): boolean {
  return connections.get(tlsSocketOf(request) ?? request.socket)?.has(response) === true;
}

/**
 * Calls `then` when all earlier requests on an upgrade's connection are answered: at once when there are none, never
 * when the connection ends first. A client may pipeline an upgrade behind requests that are not answered yet.
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
  }

  closeWithConnection(): void {
    this.#socket.once('close', () => {
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
    // Node no longer closes them: it takes its listeners off the socket of an upgrade.
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

/** Whether the client has reset the stream. Node may have begun to close it, and never finish. */
function destroySoon(this: ServerHttp2Stream): void {
  setImmediate(() => {
    this.destroy();
  });
}

function close(response: ServerResponse): void {
  response.destroyed = true;
  response.emit('close');
}
