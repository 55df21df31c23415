import type { Server, Socket } from 'node:net';
import { Arrivals } from '../../request/arrivals.ts';

/**
 * Handshakes that begin in one turn of the event loop: each takes a millisecond or two, and the requests that a client
 * has sent behind it, up to a hundred, are read at once.
 */
const atOnce = 8;

/**
 * Accepts connections that come in crowds a few at a time, addresses in turns, so that requests on other connections
 * are read in between. The server must be made with `pauseOnConnect`: nothing is read from connections that wait.
 * @param accepts whether there is room for the connection; it is closed otherwise
 */
export function takeConnectionsInTurns(server: Server, accepts: (socket: Socket) => boolean): void {
  const takers = server.listeners('connection') as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners('connection');
  const arrivals = new Arrivals<string>(atOnce);
  server.on('connection', (socket: Socket) => {
    if (!accepts(socket)) {
      socket.destroy();
      return;
    }
    arrivals.take(socket.remoteAddress ?? '', () => {
      if (!socket.destroyed) for (const take of takers) take.call(server, socket);
    });
  });
}
