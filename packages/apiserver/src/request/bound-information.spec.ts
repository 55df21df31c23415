import { limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { boundInformation, MOST_INFORMATION_OF_PEERS } from './bound-information.ts';

describe('informationalAnswers', () => {
  let server: Server;
  let hints = 0;
  let hint = '';

  before(async () => {
    server = createServer((socket: Socket) => {
      socket
        .on('error', () => undefined)
        .once('data', () => {
          socket.write(hint.repeat(hints));
          if (hints <= most) socket.end('HTTP/1.1 204 No Content\r\n\r\n');
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    await once(server.close(), 'close');
  });

  const asked = (): Promise<string> =>
    new Promise((resolve) => {
      const { port } = server.address() as AddressInfo;
      const outgoing = request({ host: '127.0.0.1', port, agent: false });
      boundInformation(outgoing, most);
      outgoing.on('response', (answer) => {
        resolve(String(answer.resume().statusCode));
      });
      outgoing.on('error', (error) => {
        resolve(error.message);
      });
      outgoing.end();
    });

  let most: number = 0;
  beforeEach(() => {
    hint = 'HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n';
    most = limits.informationalAnswers.value;
  });

  it('may come before an answer, so many of them', async () => {
    hints = limits.informationalAnswers.value;
    expect(await asked()).to.equal('204');
  });

  it('end the request where there are more', async () => {
    hints = limits.informationalAnswers.value + 1;
    expect(await asked()).to.equal('net/http: too many 1xx informational responses');
  });

  it('are counted once each, also those that say to go on', async () => {
    hint = 'HTTP/1.1 100 Continue\r\n\r\n';
    hints = most = MOST_INFORMATION_OF_PEERS;
    expect(await asked()).to.equal('204');
    hints++;
    expect(await asked()).to.equal('net/http: too many 1xx informational responses');
  });
});
