import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { SpdyServer, type OpenedStream } from './spdy-server.ts';
import type { SpdyStreamSink } from './spdy-client.ts';
import { acceptWebSocketProtocol, isWebSocketRequest } from './web-socket-handshake.ts';
import { WebSocket } from './web-socket.ts';

const protocol = 'portforward.k8s.io';

/**
 * Answers a client that wants to forward ports, over SPDY, or over SPDY through a WebSocket, as kubelets do
 * (portforward/httpstream.go and tunneling, 1.36). Undefined: it wants something else, and was told so.
 */
export function acceptPortForward(
  { head, request, socket }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
  onStream: (opened: OpenedStream) => SpdyStreamSink,
): SpdyServer | undefined {
  if (isWebSocketRequest(request)) {
    if (acceptWebSocketProtocol(request, socket, [`SPDY/3.1+${protocol}`]) === undefined) return undefined;
    return new SpdyServer(insideWebSocket(socket, head), Buffer.alloc(0), onStream);
  }
  if (request.headers.upgrade?.toLowerCase() !== 'spdy/3.1') {
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    return undefined;
  }
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n' +
      `X-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  );
  return new SpdyServer(socket, head, onStream);
}

/** The bytes in the messages of a WebSocket. */
function insideWebSocket(socket: Duplex, head: Buffer): Duplex {
  const inside = new Duplex({
    read: () => {
      socket.resume();
    },
    write: (chunk: Buffer, _encoding, done) => {
      if (connection.write(chunk)) done();
      else socket.once('drain', () => done());
    },
    final: (done) => {
      connection.end();
      done();
    },
    destroy: (error, done) => {
      connection.end();
      done(error);
    },
  });
  const connection: WebSocket = new WebSocket(socket, {
    head,
    kind: 'binary',
    messages: {
      message: (payload) => {
        if (!inside.push(Buffer.from(payload))) socket.pause();
      },
      closed: () => inside.push(null),
    },
  });
  return inside;
}
