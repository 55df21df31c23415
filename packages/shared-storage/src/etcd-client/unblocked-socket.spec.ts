import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer, type ClientHttp2Session, type Http2Server } from 'node:http2';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { UnblockedSocket } from './unblocked-socket.ts';

const windowBytes = 64 * 1024 * 1024;
const bodyBytes = 4 * 1024 * 1024;
const calls = 8;

describe('UnblockedSocket', () => {
  let server: Http2Server;
  let client: ClientHttp2Session;
  before(async () => {
    server = createServer({ maxSessionMemory: 1024, settings: { initialWindowSize: windowBytes } });
    server.on('session', (session) => session.setLocalWindowSize(windowBytes));
    // Says much and takes much at the same time.
    server.on('stream', (stream) => {
      stream.respond({ ':status': 200 });
      stream.end(Buffer.alloc(bodyBytes));
      stream.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = connect('http://localhost', {
      maxSessionMemory: 1024,
      settings: { initialWindowSize: windowBytes },
      createConnection: () => new UnblockedSocket(connectSocket(port, '127.0.0.1')),
    });
    await once(client, 'remoteSettings');
    client.setLocalWindowSize(windowBytes);
  });
  after(() => {
    client.destroy();
    server.close();
  });

  it('lets both ends of a connection say more than kernels keep, at the same time', async () => {
    const received = await Promise.all(
      Array.from({ length: calls }, async () => {
        const stream = client.request({ ':method': 'POST', ':path': '/' });
        stream.end(Buffer.alloc(bodyBytes));
        let bytes = 0;
        for await (const chunk of stream) bytes += (chunk as Buffer).length;
        return bytes;
      }),
    );
    expect(received).to.deep.equal(Array.from({ length: calls }, () => bodyBytes));
  });
  it('ends with its socket', async () => {
    const closed = once(client, 'close');
    client.close();
    await closed;
  });
});
