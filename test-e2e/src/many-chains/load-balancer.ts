import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

interface Link {
  readonly target: number;
  readonly client: Socket;
  readonly server: Socket;
}

/**
 * A TCP load balancer as people put before API servers: connections go to the targets in turn, past those that refuse
 * them; what is open stays where it is until its target ends. Ports are of 127.0.0.1. Close it.
 */
export class LoadBalancer {
  readonly #server: Server;
  readonly #links = new Set<Link>();
  #targets: readonly number[] = [];
  #turn = 0;
  /** Connections by target, all that there were. */
  readonly accepted = new Map<number, number>();

  constructor() {
    this.#server = createServer((client) => {
      client.on('error', () => client.destroy());
      this.#connect(client, this.#targets.length);
    });
  }

  static async start(): Promise<LoadBalancer> {
    const balancer = new LoadBalancer();
    balancer.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => balancer.#server.once('listening', resolve));
    return balancer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Where new connections go. Those to ports that are no target any more go on: a drained server ends them itself. */
  setTargets(ports: readonly number[]): void {
    this.#targets = ports;
  }

  #connect(client: Socket, attempts: number): void {
    const target = this.#targets[this.#turn++ % this.#targets.length];
    if (target === undefined || attempts === 0 || client.destroyed) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: '127.0.0.1', port: target, noDelay: true });
    const refused = (): void => this.#connect(client, attempts - 1);
    server.once('error', refused);
    server.once('connect', () => {
      server.off('error', refused);
      this.accepted.set(target, (this.accepted.get(target) ?? 0) + 1);
      const link = { target, client, server };
      this.#links.add(link);
      const cut = (): void => {
        this.#links.delete(link);
        client.destroy();
        server.destroy();
      };
      for (const socket of [client, server]) socket.on('error', cut).on('close', cut);
      client.setNoDelay(true);
      client.pipe(server).pipe(client);
    });
  }

  async close(): Promise<void> {
    for (const { client, server } of this.#links) {
      client.destroy();
      server.destroy();
    }
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
