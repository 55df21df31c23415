/** A program as `SideThread` runs it, without a server of resources: tells what it is asked. */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const [, , how] = process.argv;
const { sideSocket } = workerData as { readonly sideSocket: string };
if (how === 'fails') process.exit(3);
const server = createServer((request, response) => {
  if (request.url?.endsWith('?end') === true) process.exit(4);
  let bytes = 0;
  request.on('data', (piece: Buffer) => (bytes += piece.length));
  request.on('end', () => {
    response.end(
      `${request.method ?? ''} ${request.url ?? ''} ${bytes} for ${String(request.headers['x-remote-user'])}`,
    );
  });
});
server.listen(sideSocket, () => parentPort?.postMessage('ready'));
