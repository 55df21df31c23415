import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Endpoint } from './endpoint.ts';

const windowBytes = 64 * 1024 * 1024;
/** Many of them are more than the kernel keeps of one connection. */
const largeBytes = 1024 * 1024;

const message = (bytes: number): Buffer => {
  const frame = Buffer.alloc(5 + bytes);
  frame.writeUInt32BE(bytes, 1);
  return frame;
};

describe('Endpoint', function () {
  this.timeout(60_000);
  let server: Http2Server;
  let endpoint: Endpoint;
  let sessions: number;
  beforeEach(async () => {
    sessions = 0;
    server = createServer({ maxSessionMemory: 1024, settings: { initialWindowSize: windowBytes } });
    server.on('session', (session) => {
      sessions++;
      session.setLocalWindowSize(windowBytes);
    });
    // Answers before it has heard all: both have much to say at the same time.
    server.on('stream', (stream, headers) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => {
        stream.sendTrailers({ 'grpc-status': '0' });
      });
      stream.end(message(headers[':path'] === '/large' ? largeBytes : 10));
      stream.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    endpoint = new Endpoint(`127.0.0.1:${port}`, {
      connectTimeoutMs: 2_000,
      keepaliveIntervalMs: 30_000,
      keepaliveTimeoutMs: 10_000,
      silenceMs: 5_000,
    });
  });
  afterEach(() => {
    endpoint.close();
    server.close();
  });
  const answered = async (path: string, bytes: number, calls: number): Promise<number[]> => {
    const frames = Array.from({ length: calls }, () => endpoint.unary(path, message(bytes), { timeoutMs: 30_000 }));
    return (await Promise.all(frames)).map(({ length }) => length);
  };

  it('asks over one connection while little is without an answer', async () => {
    for (let i = 0; i < 5; i++) expect(await answered('/small', 3_000, 10)).to.deep.equal(Array(10).fill(10));
    expect(sessions).to.equal(1);
  });

  it('lets both ends say more than kernels keep, in few large requests', async () => {
    expect(await answered('/large', largeBytes, 24)).to.deep.equal(Array(24).fill(largeBytes));
  });

  it('lets both ends say more than kernels keep, in many small requests', async () => {
    expect(await answered('/large', 60_000, 60)).to.deep.equal(Array(60).fill(largeBytes));
    expect(sessions).to.equal(2);
  });
});
