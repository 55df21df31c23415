import type { Socket } from 'node:net';
import { Arrivals } from '../../request/arrivals.ts';

type Listener = (this: Socket, ...args: unknown[]) => void;

/**
 * Ends connections of HTTP/2 a few at a time: when one ends, Node ends its streams, a hundred of 30 µs each, and the
 * event loop tells of all connections that have ended before it looks at the sockets again.
 */
export class ConnectionEnds {
  readonly #ends = new Arrivals<Socket>();

  /** What listens to the end of a connection by now hears of it when it is its turn. */
  follow(socket: Socket): void {
    for (const event of ['error', 'close']) {
      const listeners = socket.listeners(event) as Listener[];
      socket.removeAllListeners(event);
      socket.on(event, (...args: unknown[]) => {
        this.#ends.take(socket, () => {
          for (const listener of listeners) listener.apply(socket, args);
        });
      });
    }
  }
}
