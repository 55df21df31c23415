import { expect } from 'chai';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Tunnel } from './tunnel.ts';

describe('Tunnel', () => {
  let server: Server;
  let tunnel: Tunnel;
  let proxy: URL;
  let host: string;
  const peers: string[] = [];

  before(async () => {
    server = createServer((socket) => {
      peers.push(`${socket.remoteAddress}:${socket.remotePort}`);
      socket.pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    tunnel = new Tunnel(new URL(`https://${host}`));
    proxy = new URL(await tunnel.listen());
  });
  after(() => {
    tunnel.close();
    server.close();
  });

  const connected = async (path: string): Promise<{ readonly status: number | undefined; readonly socket: Socket }> => {
    const call = request({ host: proxy.hostname, port: proxy.port, method: 'CONNECT', path });
    call.end();
    const [response, socket] = (await once(call, 'connect')) as [IncomingMessage, Socket];
    return { status: response.statusCode, socket };
  };

  it('leads to its server, and knows the connections as the server does', async () => {
    const { socket, status } = await connected(host);
    expect(status).to.equal(200);
    socket.write('hello');
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).to.equal('hello');
    expect([...tunnel.connections]).to.deep.equal(peers);
    socket.destroy();
  });

  it('leads nowhere else', async () => {
    const { socket, status } = await connected('127.0.0.1:1');
    expect(status).to.equal(403);
    socket.destroy();
  });
});
