import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

/** A way out for a machine that has no other. */
export interface Tunnel {
  /** For HTTPS_PROXY. */
  readonly url: string;
  close(): void;
}

/** Starts a proxy at an address of this machine that knows CONNECT alone, which is what clients of HTTPS ask of one. */
export async function startTunnel(address: string): Promise<Tunnel> {
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', ({ url = '' }, client, head) => {
    const [, host = '', port = ''] = /^(.+):(\d+)$/.exec(url) ?? [];
    const outside = connect({ host, port: Number(port) }, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outside.write(head);
      outside.pipe(client);
      client.pipe(outside);
    });
    outside.on('error', () => client.destroy());
    client.on('error', () => outside.destroy());
    client.on('close', () => outside.destroy());
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${address}:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
