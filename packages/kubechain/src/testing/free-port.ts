import { createServer } from 'node:net';
import { messageOf, systemRandomness } from '@kubechain/apimachinery';
import { LaunchError } from '../launch-error.ts';

/** Below what systems give to connections and to those who listen on port 0, who would take one before it is used. */
const ports = { first: 14_000, count: 10_000 };
const mostTries = 100;

/** A TCP port of 127.0.0.1 that was free a moment ago, and that nobody is given who does not ask for it by number. */
export async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = ports.first + Math.floor(systemRandomness.random() * ports.count);
    try {
      await listenOnce(port);
      return port;
    } catch (error) {
      if (tries === mostTries)
        throw new LaunchError('Process', `no port of 127.0.0.1 can be had: ${messageOf(error)}`, { cause: error });
    }
  }
}

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => server.close(() => resolve()));
  });
}
