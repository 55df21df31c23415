import type { Server, Socket } from 'node:net';
import { Arrivals } from '../../request/arrivals.ts';

/**
 * So many handshakes begin between two looks at the sockets: each is a millisecond or two, and what a client has sent
 * behind it is read at once, up to a hundred requests.
 */
const atOnce = 8;

/**
 * Has connections that come in crowds taken some at a time, addresses in turns, so that what others ask on theirs is
 * read in between. The server was made with `pauseOnConnect`: nothing is read of those that wait.
 * @param accepts whether there is room for it; it is closed where there is none
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
