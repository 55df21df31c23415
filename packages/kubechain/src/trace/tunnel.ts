import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

const { createServer } = process.getBuiltinModule('node:http');

/**
 * An HTTP proxy on 127.0.0.1 that leads to one server, so that it is known which of that server's connections are
 * those of the clients that were told of the proxy. What goes through is TLS, which it does not look into.
 */
export class Tunnel {
  /** `address:port` of its connections, as the server sees them. */
  readonly connections = new Set<string>();
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #target: URL;

  /** @param target where it leads; other places are refused */
  constructor(target: URL) {
    this.#target = target;
    this.#server = createServer((_, response) => {
      response.writeHead(405).end();
    });
    this.#server.on('connect', (request: IncomingMessage, client: Duplex) => {
      this.#lead(request, client);
    });
  }

  /** Resolves to the proxy's address. */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #lead(request: IncomingMessage, client: Duplex): void {
    const { host, hostname, port } = this.#target;
    client.on('error', () => undefined);
    if (request.url !== host) {
      client.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const server: Socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), noDelay: true });
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    }
    server.on('error', () => client.destroy());
    client.once('close', () => server.destroy());
    server.once('connect', () => {
      const { localAddress = '', localPort = 0 } = server;
      this.connections.add(`${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      client.pipe(server);
      server.pipe(client);
    });
  }
}
