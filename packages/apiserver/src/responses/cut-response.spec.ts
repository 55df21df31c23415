import { expect } from 'chai';
import { once } from 'node:events';
import { createServer as createHTTP1, get, type ServerResponse } from 'node:http';
import { connect, constants, createServer as createHTTP2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { cutResponse } from './cut-response.ts';

function cutInTheMiddle(_request: unknown, response: unknown): void {
  const answer = response as ServerResponse;
  answer.writeHead(200);
  answer.write('half', () => {
    cutResponse(answer);
  });
}

describe('cutResponse', () => {
  it('resets the stream of HTTP/2 with an error, and leaves its connection', async () => {
    const server = createHTTP2(cutInTheMiddle).listen(0);
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (let i = 0; i < 2; i++) {
      const stream = session.request({}).resume();
      await once(stream, 'error');
      expect(stream.rstCode).to.equal(constants.NGHTTP2_INTERNAL_ERROR);
    }
    session.close();
    server.close();
  });

  it('cuts the connection of HTTP/1.1', async () => {
    const server = createHTTP1(cutInTheMiddle).listen(0);
    const [answer] = await once(get({ port: (server.address() as AddressInfo).port }), 'response');
    const [error] = await once(answer.resume(), 'error');
    expect(error.code).to.equal('ECONNRESET');
    server.close();
  });
});
