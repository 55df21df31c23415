import { expect } from 'chai';
import { once } from 'node:events';
import { connect, createServer as createHTTP2 } from 'node:http2';
import { createServer as createHTTP1, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSendableStatus } from './sendable-status.ts';

/** Answers with the status of the path where that can be done, and with 502 otherwise. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const status = Number(request.url?.slice(1));
  response.writeHead(isSendableStatus(status, request) ? status : 502).end();
}

describe('statuses of others', () => {
  const cases = [
    [101, 502, 502],
    [200, 200, 200],
    [599, 599, 599],
    [600, 600, 502],
    [999, 999, 502],
    [99_999, 502, 502],
    [0, 502, 502],
  ] as const;

  it('go out over HTTP/1.1 with three digits', async () => {
    const server = createHTTP1(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const [status, right] of cases) {
      const [response] = (await once(get({ port, path: `/${status}`, agent: false }), 'response')) as [IncomingMessage];
      expect(response.resume().statusCode, String(status)).to.equal(right);
    }
    server.close();
  });

  it('go out over HTTP/2 where Node sends them', async () => {
    const server = createHTTP2((request, response) => {
      answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const [status, , right] of cases) {
      const [headers] = (await once(session.request({ ':path': `/${status}` }), 'response')) as [
        { readonly ':status': number },
      ];
      expect(headers[':status'], String(status)).to.equal(right);
    }
    session.close();
    server.close();
  });
});
