import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:tls';
import { SecureServing } from './secure-serving.ts';
import { servingPEM } from './testing/test-server.ts';

const count = 8_000;

describe('requests behind requests that are not answered yet', () => {
  it('are left unread when there are many, and answered in the end', async () => {
    const waiting: ServerResponse[] = [];
    let begun = 0;
    let held = true;
    const serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request: (_request, response) => {
          begun++;
          if (held) waiting.push(response);
          else response.end('.');
        },
        upgrade: (_request, socket) => {
          socket.destroy();
        },
      },
    );
    await serving.listen();
    const socket = connect({ host: '127.0.0.1', port: serving.port, rejectUnauthorized: false });
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    let answers = 0;
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (piece: Buffer) => {
        answers += piece.toString('latin1').split('HTTP/1.1 200').length - 1;
        if (answers >= count) resolve();
      });
    });
    let seen = -1;
    while (begun === 0 || begun !== seen) {
      seen = begun;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    // What has been read with the first of them: at most 64 KiB and what TLS has of it.
    expect(begun).to.be.within(32, count / 2);
    held = false;
    for (const response of waiting) response.end('.');
    await answered;
    expect(begun).to.equal(count);
    socket.destroy();
    serving.destroy();
  }).timeout(60_000);
});
