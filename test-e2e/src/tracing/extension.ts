import { tlsFixture } from '@kubechain/shared-storage/testing';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';

/** An extension server that knows one document; `asked`: the headers of what it was asked, in turn. */
export async function startExtension(asked: IncomingHttpHeaders[]): Promise<Server> {
  const server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
    asked.push(request.headers);
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'far.example.com/v1', resources: [] }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
