import { limits } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { linger, lingerBehindLast } from './linger.ts';

/** What is still read of a body that was answered before its end (net/http server.go, maxPostHandlerReadBytes). */
export const drainedBytes = 256 * 1024;
/** How long a client may take to send the little that is read. */
const drainMs = 5_000;
/** Of HTTP/2 (RFC 9113, 7): a module loaded for this number would be loaded by servers that nobody asks over HTTP/2. */
const noError = 0;
const lookMs = 20;
/** Between two looks whether the end of an answer was sent: at first the loop goes round once; a client may not read. */
const firstLookMs = 5;
const longestLookMs = 1_000;

/**
 * Sees to what a client still sends when its request has been answered: a refused body that is longer than its limit,
 * or one that nobody asked for. As Go's server does: over HTTP/1.1 a little more is read and dropped, so that the
 * connection can be used again, and otherwise the connection ends; over HTTP/2 only the stream does, without an error.
 */
export function endLeftBody(request: IncomingMessage, response: ServerResponse): void {
  const { stream } = request as { readonly stream?: BodyStream };
  if (stream !== undefined) {
    // Its response tells `finish` only when the stream has closed, which it does not while a body is left.
    if (stream.endAfterHeaders !== true) stream.once('finish', endStream);
    return;
  }
  if (!hasBody(request)) return;
  const { socket } = request;
  lingerBehindLast(socket);
  response.once('finish', () => {
    // Whoever got the request may have taken the socket out of it.
    if (request.complete || socket.destroyed || !response.shouldKeepAlive) return;
    // Whatever of it has been read: more is left than is read on.
    if (Number(request.headers['content-length'] ?? 0) > limits.requestBody.value + drainedBytes) linger(socket);
    else drain(request, socket);
  });
}

/** Whether a body of HTTP/1.1 comes behind a request's head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

type BodyStream = ServerHttp2Stream & { readonly endAfterHeaders?: boolean };

/**
 * A body whose end has come, and only waits to be read, is not left: ending its stream would overtake the answer at
 * clients that have not read that yet.
 */
function endStream(this: ServerHttp2Stream): void {
  if (this.closed || this.readableEnded) return;
  if (hasWholeBody(this)) {
    this.resume();
    return;
  }
  // Node ends a stream that nobody has read of by itself, and does not wait for its answer either.
  this.pause();
  endOnceAnswered(this, firstLookMs);
}

/**
 * `finish` tells that all of an answer was taken to be sent, but not that its end was: a reset that is ready while the
 * connection is being written to overtakes it, and the client would have an answer without an end.
 */
function endOnceAnswered(stream: ServerHttp2Stream, againMs: number): void {
  const look = (): void => {
    if (!stream.closed && stream.state.localClose !== 1) {
      endOnceAnswered(stream, Math.min(2 * againMs, longestLookMs));
      return;
    }
    stream.close(noError);
    // It is over when what has come of it was read.
    stream.resume();
  };
  if (againMs === firstLookMs) setImmediate(look);
  else setTimeout(look, againMs).unref();
}

/** Node tells of the end only when all before it has been read. */
function hasWholeBody(stream: ServerHttp2Stream): boolean {
  return (stream as ServerHttp2Stream & { readonly _readableState: { readonly ended: boolean } })._readableState.ended;
}

function drain(request: IncomingMessage, socket: Socket): void {
  request.unpipe();
  // As Node does with a body that nobody began to read; one that was destroyed is not read on by `resume`.
  (request as IncomingMessage & { _dump(): void })._dump();
  const endsAt = performance.now() + drainMs;
  const { bytesRead } = socket;
  // Looked at now and then: a listener for data would take the socket away from Node's parser.
  const look = setInterval(() => {
    if (!request.complete && !socket.destroyed) {
      if (socket.bytesRead - bytesRead <= drainedBytes && performance.now() < endsAt) return;
      linger(socket);
    }
    clearInterval(look);
  }, lookMs);
  socket.resume();
}
