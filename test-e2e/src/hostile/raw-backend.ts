import { once } from 'node:events';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo, Socket } from 'node:net';
import { localhostCertificate } from '../harness/local-https.ts';

/**
 * Answers one request by bytes of any kind; `head` is the request's line and headers, `reset` breaks the connection off
 * without a farewell.
 */
export type RawAnswer = (socket: TLSSocket, head: string, reset: () => void) => void;

/** How long anything goes on that has no end of its own, in ms. */
const longestMs = 3_000;

/** A server that the chain asks, which keeps to no rule of HTTP. */
export interface RawBackend {
  readonly port: number;
  /** The certificate that it shows, for `localhost`. */
  readonly certificate: string;
  /** Resolves when none of its connections is left. */
  stop(): Promise<void>;
}

/** Listens on a free port, and answers whatever comes as it is told. `host`: default this machine's loopback. */
export async function startRawBackend(answer: RawAnswer, host = '127.0.0.1'): Promise<RawBackend> {
  const sockets = new Set<TLSSocket>();
  /** What those of TLS are made over, by the peer's port. */
  const plain = new Map<number | undefined, Socket>();
  const shown = localhostCertificate();
  const server = createServer(shown, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    const reset = (): void => void plain.get(socket.remotePort)?.resetAndDestroy();
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (head.includes('\r\n\r\n')) return;
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) answer(socket, head, reset);
    });
  });
  server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    plain.set(remotePort, socket);
    socket.once('close', () => plain.delete(remotePort));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate: shown.cert,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Writes the same as fast as it is taken, for some seconds. */
export function pour(socket: TLSSocket, piece: string | Buffer): void {
  const end = performance.now() + longestMs;
  const more = (): void => {
    while (!socket.destroyed && performance.now() < end) {
      if (socket.write(piece)) continue;
      socket.once('drain', more);
      return;
    }
    socket.destroy();
  };
  more();
}

/** Writes a text letter by letter, one in 20 ms, for some seconds. */
export function drip(socket: TLSSocket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (!socket.destroyed && at < text.length && at < longestMs / 20) socket.write(text[at++]!);
    else {
      clearInterval(timer);
      socket.destroy();
    }
  }, 20);
}
