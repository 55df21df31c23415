import { expect } from 'chai';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Turns } from './turns.ts';
import { GatheredBody } from './gathered-body.ts';

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const letters = 50_000;

describe('the body of an answer', () => {
  let server: Server;
  let answers: (socket: Socket) => void;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  before(async () => {
    server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', () => {
          answers(socket);
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  after(async () => {
    agent.destroy();
    await once(server.close(), 'close');
  });

  const asked = async (): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo;
    const outgoing = request({ host: '127.0.0.1', port, agent }).end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.on('error', () => undefined);
    return answer;
  };
  const pieces = async (body: GatheredBody): Promise<string[]> => {
    const all: string[] = [];
    body.on('data', (piece: Buffer) => all.push(piece.toString()));
    await once(body, 'end');
    return all;
  };

  it('in chunks of a byte is handed on in pieces, in turns, and leaves its connection as it was', async () => {
    answers = (socket) => socket.write(`${head}${'1\r\nx\r\n'.repeat(letters)}0\r\n\r\n`);
    for (const _ of [1, 2]) {
      let turns = 0;
      const body = new GatheredBody(await asked(), {
        take: async () => {
          turns++;
          await new Promise(setImmediate);
        },
      });
      const all = await pieces(body);
      expect(all.join('')).to.equal('x'.repeat(letters));
      expect(all.length).to.be.lessThan(letters / 50);
      expect(turns).to.be.greaterThan(5);
    }
  });

  it('comes without waiting for more', async () => {
    answers = (socket) => socket.write(`${head}5\r\nhello\r\n`);
    const answer = await asked();
    const body = new GatheredBody(answer, new Turns());
    const [first] = (await once(body, 'data')) as [Buffer];
    expect(first.toString()).to.equal('hello');
    body.destroy();
    expect(answer.destroyed).to.equal(true);
  });

  it('fails as the answer fails', async () => {
    answers = (socket) => {
      socket.write(`${head}5\r\nhello\r\n`, () => socket.resetAndDestroy());
    };
    const body = new GatheredBody(await asked(), new Turns());
    body.resume();
    const [error] = (await once(body, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).to.equal('ECONNRESET');
  });

  it('is held back by who takes no more', async () => {
    const much = 'y'.repeat(1 << 16);
    answers = (socket) => socket.write(`${head}${`10000\r\n${much}\r\n`.repeat(100)}0\r\n\r\n`);
    const body = new GatheredBody(await asked(), new Turns());
    body.once('data', () => body.pause());
    await once(body, 'data');
    for (let i = 0; i < 50; i++) await new Promise(setImmediate);
    expect(body.readableLength).to.be.lessThan(10 * much.length);
    const rest = await pieces(body.resume() as GatheredBody);
    expect(rest.join('').length).to.be.greaterThan(90 * much.length);
  });
});
