import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { FrameServer } from '../grpc/frame-server.ts';
import { HTTP2_OPTIONS, type GrpcServer } from '../grpc/grpc-server.ts';

/** How every HTTP/2 connection begins. */
const HTTP2_PREFACE = 'PRI * HTTP/2';
/** What node:http gives a head on a server that listens itself. */
const FIRST_HEAD_MS = 60_000;

/** Who answers what is spoken on a port. */
export interface SpokenTo {
  /** HTTP/2. */
  readonly grpc: GrpcServer;
  /** Connections of one call, asked for by an upgrade of HTTP/1.1. */
  readonly frames: FrameServer;
  /** Plain HTTP/1.1. */
  readonly endpoints: (request: IncomingMessage, response: ServerResponse) => void;
  /** From a connection's beginning until its first request's head is whole. Default 60,000. */
  readonly firstHeadMs?: number;
}

/**
 * Makes a function that gives a new connection to the HTTP/2 or the HTTP/1.1 server, so that all share a port: with
 * TLS as the handshake has it, without by its first bytes. HTTP/2 is loaded with the first client that speaks it.
 */
export function portSharing({
  endpoints,
  firstHeadMs = FIRST_HEAD_MS,
  frames,
  grpc,
}: SpokenTo): (socket: Socket) => void {
  // An import of node:http would read its lazy WebSocket export and so load undici: 40 ms of a start.
  const http = process.getBuiltinModule('node:http');
  const heads = new WeakMap<Socket, NodeJS.Timeout>();
  const headCame = (socket: Socket): void => {
    clearTimeout(heads.get(socket));
  };
  const http1 = http.createServer((request, response) => {
    headCame(request.socket);
    endpoints(request, response);
  });
  http1.on('upgrade', (request: IncomingMessage, socket: Socket, first: Buffer) => {
    headCame(socket);
    if (frames.take(request, socket, first)) return;
    // As a server does that does not know what it is asked to switch to.
    socket.on('error', () => socket.destroy());
    const response = new http.ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end());
    endpoints(request, response);
  });
  let http2: Http2Server | undefined;
  const withHttp2 = (): Http2Server => {
    if (http2 !== undefined) return http2;
    http2 = process.getBuiltinModule('node:http2').createServer(HTTP2_OPTIONS);
    grpc.attach(http2);
    return http2;
  };
  const give = (socket: Socket, isHttp2: boolean): void => {
    if (isHttp2) headCame(socket);
    (isHttp2 ? withHttp2() : http1).emit('connection', socket);
  };
  return (socket) => {
    const timer = setTimeout(() => socket.destroy(), firstHeadMs).unref();
    heads.set(socket, timer);
    socket.once('close', () => clearTimeout(timer));
    const { alpnProtocol } = socket as Partial<TLSSocket>;
    if (alpnProtocol !== undefined && alpnProtocol !== null) {
      give(socket, alpnProtocol === 'h2');
      return;
    }
    const onError = (): void => {
      socket.destroy();
    };
    socket.on('error', onError);
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      socket.removeListener('error', onError);
      const isHttp2 = HTTP2_PREFACE.startsWith(first.toString('latin1', 0, HTTP2_PREFACE.length));
      give(socket, isHttp2);
      if (!isHttp2) socket.resume();
    });
  };
}
