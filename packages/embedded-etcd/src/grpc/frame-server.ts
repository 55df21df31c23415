import { callFramesProtocol } from '@kubechain/apimachinery/wire';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { FrameCall } from './frame-call.ts';
import type { Method } from './method.ts';

/** Serves streaming calls that have a connection each: what kubechain's own servers speak (docs/store-calls.md). */
export class FrameServer {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #calls = new Map<Socket, FrameCall>();
  #closing = false;

  constructor(methods: ReadonlyMap<string, Method>) {
    this.#methods = methods;
  }

  /**
   * Takes the connection of a request to switch protocols; false: it asks for something else, or nothing is taken any
   * more, and it is still HTTP's.
   */
  take(request: IncomingMessage, socket: Socket, first: Buffer): boolean {
    const method = this.#methods.get(request.url ?? '');
    const asks = request.headers.upgrade === callFramesProtocol && request.method === 'GET';
    if (!asks || method?.kind !== 'stream' || this.#closing) return false;
    this.#calls.set(socket, new FrameCall(socket, method, first));
    socket.once('close', () => this.#calls.delete(socket));
    return true;
  }

  /** Lets calls finish for `graceMs`, then cuts the connections. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    const closed = [...this.#calls].map(([socket, call]) => {
      call.goAway();
      return new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())));
    });
    const timer = setTimeout(() => {
      for (const socket of this.#calls.keys()) socket.destroy();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(timer);
  }
}
