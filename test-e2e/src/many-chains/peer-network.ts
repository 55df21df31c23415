import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Between members: from the one whose proxy it is, to the one that is named. */
type Pair = `${number}>${number}`;

/**
 * The network between the members of an etcd cluster, which can be parted: each member has a proxy of its own
 * (HTTP_PROXY) that its connections to the others go through, and knows them by names that only the proxies resolve. So
 * it is known of each connection who asks whom.
 */
export class PeerNetwork {
  readonly #proxies: Server[] = [];
  readonly #ports: readonly number[];
  readonly #open = new Map<Pair, Set<() => void>>();
  readonly #cut = new Set<Pair>();

  /** @param ports on which the members listen for each other */
  constructor(ports: readonly number[]) {
    this.#ports = ports;
  }

  static async start(ports: readonly number[]): Promise<PeerNetwork> {
    const network = new PeerNetwork(ports);
    for (const [member] of ports.entries()) {
      const proxy = createServer((incoming, response) => network.#pass(member, incoming, response));
      network.#proxies.push(proxy);
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    }
    return network;
  }

  /** What a member is called by the others. */
  static urlOf(member: number): string {
    return `http://member-${member}.invalid:2380`;
  }

  /** HTTP_PROXY of a member. */
  proxyOf(member: number): string {
    return `http://127.0.0.1:${(this.#proxies[member]!.address() as AddressInfo).port}`;
  }

  /** Nothing passes between these members and the others, until `heal`. */
  part(members: readonly number[]): void {
    for (const one of members)
      for (const [other] of this.#ports.entries()) {
        if (members.includes(other)) continue;
        for (const pair of [`${one}>${other}`, `${other}>${one}`] as const) {
          this.#cut.add(pair);
          for (const end of this.#open.get(pair) ?? []) end();
        }
      }
  }

  heal(): void {
    this.#cut.clear();
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#proxies.map((proxy) => {
        const closed = new Promise((resolve) => proxy.close(resolve));
        proxy.closeAllConnections();
        return closed;
      }),
    );
  }

  #pass(member: number, incoming: IncomingMessage, response: ServerResponse): void {
    const url = new URL(incoming.url ?? '');
    const other = Number(/^member-(\d+)\./.exec(url.hostname)?.[1]);
    const port = this.#ports[other];
    const pair: Pair = `${member}>${other}`;
    if (port === undefined || this.#cut.has(pair)) {
      incoming.socket.destroy();
      return;
    }
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: incoming.method,
      path: `${url.pathname}${url.search}`,
      headers: { ...incoming.headers, host: url.host },
    });
    const end = (): void => {
      this.#open.get(pair)?.delete(end);
      incoming.socket.destroy();
      outgoing.destroy();
    };
    const open = this.#open.get(pair) ?? new Set();
    this.#open.set(pair, open.add(end));
    outgoing.on('error', end).on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.on('error', end).pipe(response);
    });
    response.on('close', () => {
      open.delete(end);
      outgoing.destroy();
    });
    incoming.on('error', end).pipe(outgoing);
  }
}
