import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { connect, type AddressInfo } from 'node:net';
import { PieceRun } from './piece-run.ts';
import { writeRun } from './write-run.ts';

const run = (...texts: readonly string[]): PieceRun =>
  texts.reduce((before, text) => before.with(Buffer.from(text)), PieceRun.none());

describe('writeRun', () => {
  let server: Server;
  let answer: (response: ServerResponse) => void;
  before(async () => {
    server = createServer((_request, response) => {
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => {
    server.close();
  });

  /** What comes behind the head, as it is on the wire. */
  const received = async (): Promise<string> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text.slice(text.indexOf('\r\n\r\n') + 4);
  };

  it('makes each piece a chunk, among those that Node makes', async () => {
    answer = (response) => {
      response.writeHead(200);
      response.flushHeaders();
      response.write('a');
      writeRun(response, run('bc', 'd'));
      response.write('e');
      writeRun(response, run('f'));
      response.end();
    };
    expect(await received()).to.equal('1\r\na\r\n2\r\nbc\r\n1\r\nd\r\n1\r\ne\r\n1\r\nf\r\n0\r\n\r\n');
  });

  it('writes bytes as they are where the length is known', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Length': 3 });
      writeRun(response, run('ab', 'c'));
      response.end();
    };
    expect(await received()).to.equal('abc');
  });

  it('writes with the head when that has not gone', async () => {
    answer = (response) => {
      writeRun(response, run('ab', 'c'));
      response.end();
    };
    expect(await received()).to.equal('3\r\nabc\r\n0\r\n\r\n');
  });

  it('shows each piece to who has put itself before write', async () => {
    const seen: string[] = [];
    answer = (response) => {
      const write = response.write.bind(response);
      response.write = ((chunk: Buffer) => {
        seen.push(chunk.toString());
        return write(chunk);
      }) as typeof response.write;
      response.writeHead(200);
      writeRun(response, run('ab', 'c'));
      response.end();
    };
    expect(await received()).to.equal('2\r\nab\r\n1\r\nc\r\n0\r\n\r\n');
    expect(seen).to.deep.equal(['ab', 'c']);
  });

  it('tells when the client takes no more, and when it does again', async () => {
    const large = run('x'.repeat(300_000));
    const told: boolean[] = [];
    answer = (response) => {
      response.writeHead(200);
      let more = true;
      for (let i = 0; more && i < 100; i++) more = writeRun(response, large);
      told.push(more);
      response.once('drain', () => {
        told.push(true);
        response.end();
      });
    };
    await received();
    expect(told).to.deep.equal([false, true]);
  });

  it('frames nothing over HTTP/2', async () => {
    const other = createHttp2Server((_request, response) => {
      const own = response as unknown as ServerResponse;
      own.writeHead(200);
      writeRun(own, run('ab', 'c'));
      own.end();
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const session = connectHttp2(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
    let text = '';
    for await (const chunk of session.request({ ':path': '/' })) text += String(chunk);
    session.close();
    other.close();
    expect(text).to.equal('abc');
  });
});
