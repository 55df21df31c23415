import { limits } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { linger, lingerBehindLast } from './linger.ts';

/** What is still read of a body that was answered before its end (net/http server.go, maxPostHandlerReadBytes). */
export const drainedBytes = 256 * 1024;
/** Ms in which a client must send what is still read. */
const drainMs = 5_000;
/** Of HTTP/2 (RFC 9113, 7): a module loaded for this number would be loaded by servers that nobody asks over HTTP/2. */
const noError = 0;
const lookMs = 20;
/** Ms between two checks whether the end of an answer was sent; the first one is a turn of the event loop later. */
const firstLookMs = 5;
const longestLookMs = 1_000;

/**
 * Deals with the rest of a body when its request is already answered: a body that was refused for its size, or one that
 * nobody reads. As Go's server does: over HTTP/1.1 a little more is read and dropped, so that the connection can be
 * used again, and beyond that the connection ends; over HTTP/2 only the stream ends, without an error.
 */
export function endLeftBody(request: IncomingMessage, response: ServerResponse): void {
  const { stream } = request as { readonly stream?: BodyStream };
  if (stream !== undefined) {
    // The response emits `finish` only when the stream has closed, which it does not while a body is left.
    if (stream.endAfterHeaders !== true) stream.once('finish', endStream);
    return;
  }
  if (!hasBody(request)) return;
  const { socket } = request;
  lingerBehindLast(socket);
  response.once('finish', () => {
    // A handler may have detached the socket from the request.
    if (request.complete || socket.destroyed || !response.shouldKeepAlive) return;
    // However much was read, more is left than we are willing to read.
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
 * A body that has arrived completely and only waits to be read is not left over: ending its stream could overtake the
 * answer at clients that have not read it yet.
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
 * `finish` says that an answer was handed to the connection, not that its end was sent: a reset that is queued while
 * the connection is being written overtakes it, and the client would get an answer without an end.
 */
function endOnceAnswered(stream: ServerHttp2Stream, againMs: number): void {
  const look = (): void => {
    if (!stream.closed && stream.state.localClose !== 1) {
      endOnceAnswered(stream, Math.min(2 * againMs, longestLookMs));
      return;
    }
    stream.close(noError);
    // The request is over once what has arrived of the body was read.
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
