import type { Server } from 'node:net';
import { httpEndpoints } from './http-endpoints.ts';
import type { ServerContext } from '../context/server-context.ts';

/**
 * etcd's `--listen-metrics-urls`: health, version and metrics over plain HTTP at an address of their own, for probes
 * and
 * scrapers, which have no client certificate. Tells nothing of what is stored. Resolves when it listens.
 * @throws the socket's own error (`EADDRINUSE`, …)
 */
export async function listenForHealth(
  context: ServerContext,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Server> {
  // An import of node:http would read its lazy WebSocket export and so load undici: 40 ms of a start.
  const server = process.getBuiltinModule('node:http').createServer(httpEndpoints(context));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}
