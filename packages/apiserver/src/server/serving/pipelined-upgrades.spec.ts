import { expect } from 'chai';
import { connect } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import { runTestServer, type RunningTestServer } from '../testing/test-server.ts';

const upgrade = 'GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n';
/** More than a connection takes at once. */
const long = Buffer.alloc(16 << 20, 'x');

describe('an upgrade behind requests that are not answered yet', () => {
  let running: RunningTestServer;

  before(async () => {
    running = await runTestServer(
      { authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) } },
      {
        prepare: ({ nonResourceMux }) => {
          nonResourceMux.handle('/slow', (_request, response) => {
            setTimeout(() => response.end('slow'), 50);
          });
          nonResourceMux.handle('/long', (_request, response) => {
            if (response.write(long)) response.end('done');
            else response.once('drain', () => response.end('done'));
          });
        },
      },
    );
  });
  after(async () => {
    await running.stop();
  });

  /** All that comes back, read after a while. */
  async function answers(bytes: string): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: running.info.securePort ?? 0, rejectUnauthorized: false });
    socket.write(bytes);
    await delay(100);
    let text = '';
    for await (const chunk of socket.setEncoding('latin1')) text += chunk as string;
    return text;
  }
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

  it('is answered after them', async () => {
    const text = await answers(get('/slow') + get('/slow') + upgrade);
    expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  });
  it('is answered after one that the client reads slowly', async () => {
    const text = await answers(get('/long') + upgrade);
    expect(text.match(/HTTP\/1\.1 \d+/g)).to.deep.equal(['HTTP/1.1 200', 'HTTP/1.1 404']);
    expect(text.length).to.be.greaterThan(long.length);
  });
});
