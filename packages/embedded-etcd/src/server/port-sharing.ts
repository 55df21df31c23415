import type { Server as HttpServer } from 'node:http';
import type { Http2Server } from 'node:http2';
import type { Socket } from 'node:net';

/** How every HTTP/2 connection begins. */
const HTTP2_PREFACE = 'PRI * HTTP/2';

/**
 * Gives a new plain connection to the HTTP/2 or the HTTP/1 server by its first
 * bytes, so that gRPC and `/health` share a port. (With TLS, ALPN decides.)
 */
export function shareConnection(
  socket: Socket,
  servers: { readonly http2: Http2Server; readonly http1: HttpServer },
): void {
  const onError = (): void => {
    socket.destroy();
  };
  socket.on('error', onError);
  socket.once('data', (first: Buffer) => {
    socket.pause();
    socket.unshift(first);
    socket.removeListener('error', onError);
    const isHttp2 = HTTP2_PREFACE.startsWith(first.toString('latin1', 0, HTTP2_PREFACE.length));
    (isHttp2 ? servers.http2 : servers.http1).emit('connection', socket);
    if (!isHttp2) socket.resume();
  });
}
