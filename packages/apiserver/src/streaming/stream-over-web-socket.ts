import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { acceptWebSocketProtocol } from './web-socket-handshake.ts';
import { WebSocket } from './web-socket.ts';

/** Subprotocols of byte streams; the last one sends base64 as text, for clients that cannot read binary messages. */
const base64Protocol = 'base64.binary.k8s.io';
const protocols: readonly string[] = ['', 'binary.k8s.io', base64Protocol];

/**
 * Sends a stream to a client that asked for a WebSocket: an empty message first, then one for each chunk, with
 * back-pressure; the end of either ends the other (httpstream/wsstream Reader, 1.36). Answers the handshake.
 */
export function streamOverWebSocket(
  body: Readable,
  { request, socket, head }: { readonly request: IncomingMessage; readonly socket: Duplex; readonly head: Buffer },
): void {
  const protocol = acceptWebSocketProtocol(request, socket, protocols);
  if (protocol === undefined) {
    body.destroy();
    return;
  }
  const encoded = protocol === base64Protocol;
  const connection = new WebSocket(socket, { head, kind: encoded ? 'text' : 'binary' });
  connection.write(Buffer.alloc(0));
  body.on('data', (chunk: Buffer) => {
    if (connection.write(encoded ? Buffer.from(chunk.toString('base64')) : chunk)) return;
    body.pause();
    socket.once('drain', () => {
      body.resume();
    });
  });
  body.once('end', () => {
    connection.end();
  });
  body.once('error', () => {
    connection.end();
  });
  socket.once('close', () => {
    body.destroy();
  });
}
