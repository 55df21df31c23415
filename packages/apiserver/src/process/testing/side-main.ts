/** A program as `SideThread` runs it, without a server of resources: tells what it is asked. */
import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import type { AuditEvent } from '../../audit/audit-event.ts';
import { relayOfThread } from '../../audit/audit-relay.ts';

const [, , how] = process.argv;
const { sideSocket } = workerData as { readonly sideSocket: string };
if (how === 'fails') process.exit(3);
const recorded: AuditEvent = {
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Metadata',
  auditID: 'recorded',
  stage: 'ResponseComplete',
  requestURI: '/',
  verb: 'get',
  user: {},
  requestReceivedTimestamp: '',
  stageTimestamp: '',
};
const server = createServer((request, response) => {
  if (request.url?.endsWith('?end') === true) process.exit(4);
  if (request.url?.endsWith('?lose') === true) {
    // Its socket is there for a while, and takes connections.
    request.socket.destroy();
    const until = performance.now() + 500;
    setImmediate(() => {
      while (performance.now() < until);
      process.exit(4);
    });
    return;
  }
  if (request.url?.endsWith('?deaf') === true) {
    response.setHeader('connection', 'close');
    server.close();
    setInterval(() => undefined, 1_000);
  }
  if (request.url?.endsWith('?record') === true) void relayOfThread('nothing').process([recorded]);
  let bytes = 0;
  request.on('data', (piece: Buffer) => (bytes += piece.length));
  request.on('end', () => {
    response.end(
      `${request.method ?? ''} ${request.url ?? ''} ${bytes} for ${String(request.headers['x-remote-user'])}`,
    );
  });
});
server.listen(sideSocket, () => parentPort?.postMessage('ready'));
