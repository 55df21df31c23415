import { createServer as createHTTP, type Server } from 'node:http';
import { createServer as createHTTPS, type ServerOptions } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** A proxy that takes CONNECT and makes the connections that it is asked for. */
export class ConnectProxy {
  /** Addresses that were asked for, in order. */
  readonly asked: string[] = [];
  /** Fingerprints of the certificates that clients have shown over TLS. */
  readonly shown: string[] = [];
  /** What is answered in place of a connection, and the connection is closed. */
  refusal: string | undefined;
  /** Where connections go in place of what was asked for: `host:port`. */
  readonly routes = new Map<string, string>();
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** @param tls of a proxy that speaks TLS */
  constructor(tls?: ServerOptions) {
    this.#server = tls === undefined ? createHTTP() : createHTTPS(tls);
    this.#server.on('connect', (request, client) => {
      const address = request.url ?? '';
      this.asked.push(address);
      if (request.socket instanceof TLSSocket) this.shown.push(request.socket.getPeerCertificate().fingerprint256);
      this.#keep(client as Socket);
      if (this.refusal !== undefined) {
        client.end(this.refusal);
        return;
      }
      const to = this.routes.get(address) ?? address;
      const colon = to.lastIndexOf(':');
      const target = connect(Number(to.slice(colon + 1)), to.slice(0, colon));
      this.#keep(target);
      target.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(target).pipe(client);
      });
      target.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    });
  }

  /** At a unix socket, or a free port of loopback when there is no path; resolves to that. */
  async listen(path?: string): Promise<number> {
    await new Promise<void>((done) => {
      if (path === undefined) this.#server.listen(0, '127.0.0.1', done);
      else this.#server.listen(path, done);
    });
    return path === undefined ? (this.#server.address() as AddressInfo).port : 0;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
