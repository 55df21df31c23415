import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { RemoteService } from '../remote-service.ts';

/** An extension API server of documents. */
export interface ExtensionServer {
  /** What it answers, by path; 404 to all others. To be changed. */
  readonly documents: Map<string, string>;
  /** Its APIService of a group, version v1, which is available. */
  remote(group: string): RemoteService;
  stop(): Promise<void>;
}

/** Listens on a free port. */
export async function startExtensionServer(): Promise<ExtensionServer> {
  const documents = new Map<string, string>();
  const remotes: RemoteService[] = [];
  const server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
    const body = documents.get(request.url ?? '');
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    documents,
    remote: (group) => {
      const remote = new RemoteService(
        {
          metadata: { name: `v1.${group}` },
          spec: {
            group,
            version: 'v1',
            groupPriorityMinimum: 1,
            versionPriority: 1,
            service: { namespace: 'n', name: 's', port: 443 },
            insecureSkipTLSVerify: true,
          },
          status: { conditions: [{ type: 'Available', status: 'True' }] },
        },
        { resolve: () => `127.0.0.1:${port}`, clientCertificate: undefined },
      );
      remotes.push(remote);
      return remote;
    },
    stop: async () => {
      for (const remote of remotes) remote.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
