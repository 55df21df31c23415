import { expect } from 'chai';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:tls';
import { SecureServing } from './secure-serving.ts';
import { servingPEM } from '../testing/test-server.ts';

const much = 'x'.repeat(8 * 1024 * 1024);
const bodyBytes = 300_000;

describe('requests with bodies behind answers that are not written yet', () => {
  it('are read', async () => {
    const serving = new SecureServing(
      { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
      {
        request: (request: IncomingMessage, response) => {
          if (request.method === 'GET') response.end(much);
          else {
            let size = 0;
            request.on('data', (piece: Buffer) => (size += piece.length));
            request.on('end', () => response.end(`read ${size}.`));
          }
        },
        upgrade: (_request, socket) => {
          socket.destroy();
        },
      },
    );
    await serving.listen();
    const socket = connect({ host: '127.0.0.1', port: serving.port, rejectUnauthorized: false });
    const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${bodyBytes}\r\n\r\n${'b'.repeat(bodyBytes)}`;
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\n\r\n${post}`);
    // What is not read holds the answer, so that the next request is met before that is written.
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 200));
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString('latin1').replaceAll(/x{8,}/g, '');
      if (text.includes('read ')) socket.end();
    });
    socket.resume();
    await new Promise((resolve) => socket.once('close', resolve));
    serving.destroy();
    expect(text).to.include(`read ${bodyBytes}.`);
  });
});
