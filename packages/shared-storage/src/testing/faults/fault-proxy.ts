import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';

/** Which connections a fault concerns, by the order in which they were accepted (from 1). Absent: all. */
export type Concerned = (connection: number) => boolean;

/**
 * What the proxy does to what passes through it. A byte stream keeps its order, but one connection may fall behind
 * others.
 */
export type Fault =
  /** Passes everything on. */
  | { readonly kind: 'none' }
  /** Passes nothing on, in either direction, but keeps connections open: a peer that has vanished without a word. */
  | { readonly kind: 'stall'; readonly only?: Concerned }
  /**
   * Passes on what clients send and keeps back what they are answered: what they asked for happens, and they do not
   * hear of it.
   */
  | { readonly kind: 'mute'; readonly only?: Concerned }
  /** Passes on after a delay, each chunk in order. */
  | { readonly kind: 'slow'; readonly delayMs: number; readonly only?: Concerned }
  /** Resets new connections. */
  | { readonly kind: 'refuse' };

const none: Fault = { kind: 'none' };

/** One connection through the proxy. What cannot pass waits in the sockets' own buffers. */
class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #fault: () => Fault;

  constructor(client: Socket, server: Socket, fault: () => Fault) {
    this.#client = client;
    this.#server = server;
    this.#fault = fault;
    this.#pipe(client, server);
    this.#pipe(server, client);
    this.applyFault();
  }

  #pipe(from: Socket, to: Socket): void {
    // What is delayed keeps its place: TCP never reorders, also not when the fault ends.
    const delayed: { readonly chunk: Buffer; readonly dueMs: number }[] = [];
    const schedule = (): void => {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          while (delayed[0] !== undefined && delayed[0].dueMs <= Date.now()) to.write(delayed.shift()!.chunk);
          if (delayed.length > 0) schedule();
        },
        Math.max(0, delayed[0]!.dueMs - Date.now()),
      );
      this.#timers.add(timer);
    };
    from.on('data', (chunk: Buffer) => {
      const fault = this.#fault();
      if (fault.kind !== 'slow' && delayed.length === 0) {
        to.write(chunk);
        return;
      }
      delayed.push({ chunk, dueMs: Date.now() + (fault.kind === 'slow' ? fault.delayMs : 0) });
      if (delayed.length === 1) schedule();
    });
    from.on('error', () => this.cut());
    from.on('close', () => this.cut());
  }

  /** Follows a change of the fault. */
  applyFault(): void {
    const { kind } = this.#fault();
    hold(this.#client, kind === 'stall');
    hold(this.#server, kind === 'stall' || kind === 'mute');
  }

  cut(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#client.destroy();
    this.#server.destroy();
  }
}

function hold(socket: Socket, held: boolean): void {
  if (held) socket.pause();
  else socket.resume();
}

/** A TCP proxy in front of etcd that can be made to misbehave; made by `FaultProxy.start`. Close it. */
export class FaultProxy {
  readonly #server: Server;
  readonly #connections = new Set<ProxiedConnection>();
  #fault: Fault = none;
  /** Connections accepted so far. */
  accepted = 0;

  constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((client) => {
      this.accepted++;
      if (this.#fault.kind === 'refuse') {
        client.resetAndDestroy();
        return;
      }
      client.setNoDelay(true);
      const server = connect({ ...target, noDelay: true });
      const number = this.accepted;
      const connection = new ProxiedConnection(client, server, () => {
        const fault = this.#fault;
        return 'only' in fault && fault.only?.(number) === false ? none : fault;
      });
      this.#connections.add(connection);
      client.once('close', () => this.#connections.delete(connection));
    });
  }

  /** @param endpoint `http://host:port` of the server behind. */
  static async start(endpoint: string): Promise<FaultProxy> {
    const { hostname, port } = new URL(endpoint);
    const proxy = new FaultProxy({ host: hostname, port: Number(port) });
    proxy.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => proxy.#server.once('listening', resolve));
    return proxy;
  }

  /** What clients connect to. */
  get endpoint(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** Changes the behaviour, also of open connections (but for `refuse`, which concerns new ones). */
  setFault(fault: Fault): void {
    this.#fault = fault;
    for (const connection of this.#connections) connection.applyFault();
  }

  /** Breaks all open connections; what was on its way is lost. */
  cut(): void {
    for (const connection of this.#connections) connection.cut();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
