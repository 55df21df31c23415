import type { Server, Socket } from 'node:net';
import { Arrivals } from '../../request/arrivals.ts';

/**
 * Handshakes that begin in one turn of the event loop: each takes a millisecond or two, and the requests that a client
 * has sent behind it, up to a hundred, are read at once.
 */
const atOnce = 8;

export interface ConnectionTakers {
  /** Whether there is room for a connection; it is closed otherwise. */
  readonly accepts: (socket: Socket) => boolean;
  /** Told of a connection whose handshake begins. */
  readonly taken?: (socket: Socket) => void;
}

/**
 * Accepts connections that come in crowds a few at a time, addresses in turns, so that requests on other connections
 * are read in between. The server must be made with `pauseOnConnect`: nothing is read from connections that wait.
 */
export function takeConnectionsInTurns(server: Server, { accepts, taken }: ConnectionTakers): void {
  const takers = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const arrivals = new Arrivals<string>(atOnce);
  server.on('connection', (socket: Socket) => {
    if (!accepts(socket)) {
      socket.destroy();
      return;
    }
    arrivals.take(socket.remoteAddress ?? '', () => {
      if (socket.destroyed) return;
      for (const take of takers) take.call(server, socket);
      taken?.(socket);
    });
  });
}
