import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Handler } from '../../../request/filter.ts';
import { configureLogging } from '../../../logging/logger.ts';
import type { ClientLink, LinkAnswer, LinkRequestParts } from './client-link.ts';
import { linkProtocol, windowBytes } from './frames.ts';
import { LinkListener } from './link-listener.ts';
import { LinkSource } from './link-source.ts';
import { NoLinkError, openLink } from './open-link.ts';
import type { PieceRun } from './piece-run.ts';

/** What came back over a link for one request. */
class Recorded implements LinkAnswer {
  readonly id: number;
  lastTurn = 0;
  lastPlace = 0;
  run: PieceRun | undefined = undefined;
  status = 0;
  fields: readonly string[] = [];
  text = '';
  bytes = 0;
  credit = 0;
  runs = 0;
  readonly informed: number[] = [];
  trailers: readonly string[] | undefined = undefined;
  error: Error | undefined = undefined;
  readonly ended: Promise<this>;
  #end!: (self: this) => void;

  constructor(link: ClientLink, parts: Partial<LinkRequestParts> = {}) {
    this.id = link.nextID();
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    link.request(this, { method: 'GET', url: '/', block: [], own: [], hasBody: false, ...parts });
  }
  head(status: number, fields: readonly string[]): void {
    this.status = status;
    this.fields = fields;
  }
  information(status: number): void {
    this.informed.push(status);
  }
  body(piece: Buffer, used?: () => void): void {
    this.bytes += piece.length;
    if (this.bytes < 10_000) this.text += piece.toString();
    used?.();
  }
  pieces(run: PieceRun): void {
    this.runs++;
    this.body(run.plain());
  }
  end(trailers: readonly string[] | undefined, last?: Buffer, used?: () => void): void {
    if (last !== undefined) this.body(last, used);
    this.trailers = trailers;
    this.#end(this);
  }
  credited(bytes: number): void {
    this.credit += bytes;
  }
  broken(error: Error): void {
    this.error = error;
    this.#end(this);
  }
  failed(error: unknown): void {
    this.broken(error as Error);
  }
}

describe('a link', () => {
  const directory = mkdtempSync(join(tmpdir(), 'link-'));
  const path = join(directory, 'back.sock');
  const target = { address: { kind: 'unix' as const, path }, connectTimeoutMs: 2_000 };
  let server: Server;
  let listener: LinkListener;
  let handler: Handler;
  let link: ClientLink;

  before(async () => {
    configureLogging({
      verbosity: 0,
      write() {
        /* broken links are provoked here */
      },
    });
    listener = new LinkListener((request, response) => {
      handler(request, response);
    });
    server = createServer();
    server.on('upgrade', (request, socket, head) => {
      if (!listener.accept(request, socket, head)) socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
    });
    server.listen(path);
    await once(server, 'listening');
  });
  after(() => {
    listener.destroy();
    server.close();
    rmSync(directory, { recursive: true });
    configureLogging({ verbosity: 0 });
  });
  beforeEach(async () => {
    link = await openLink(target);
  });
  afterEach(async () => {
    link.destroy(new Error('the test is over'));
    while (listener.size > 0) await delay(1);
  });

  describe('tells why it is over, once:', () => {
    const ended = (end: () => void): Promise<string[]> =>
      new Promise((resolve) => {
        const reasons: string[] = [];
        link.onceOver(({ kind }) => {
          reasons.push(kind);
          setImmediate(resolve, reasons);
        });
        end();
      });

    it('the other side has taken its leave', async () => {
      expect(
        await ended(() => {
          listener.stopAccepting();
        }),
      ).to.deep.equal(['completed']);
    });
    it('the connection is lost', async () => {
      expect(
        await ended(() => {
          listener.destroy();
        }),
      ).to.deep.equal(['broken']);
    });
    it('the other side is silent', async () => {
      expect(
        await ended(() => {
          link.destroy(new Error('no answer'), 'unresponsive');
          link.destroy(new Error('later'), 'shutting_down');
        }),
      ).to.deep.equal(['unresponsive']);
    });
    it('this server goes away', async () => {
      const reason = Promise.withResolvers<string>();
      const source = new LinkSource(() => target, {
        ended: ({ kind }) => {
          reason.resolve(kind);
        },
      });
      while (source.current() === undefined) await turn();
      source.close(new Error('the server is shutting down'));
      expect(await reason.promise).to.equal('shutting_down');
    });
  });

  it('carries a request and its answer', async () => {
    handler = (request, response) => {
      response.setHeader('Content-Type', 'text/plain');
      response.end(JSON.stringify([request.method, request.url, request.headers, request.rawHeaders]));
    };
    const { fields, status, text } = await new Recorded(link, {
      method: 'PUT',
      url: '/a?b=c',
      block: ['Accept', 'x'],
      own: ['Audit-ID', '1'],
    }).ended;
    expect(status).to.equal(200);
    expect(JSON.parse(text)).to.deep.equal([
      'PUT',
      '/a?b=c',
      { accept: 'x', 'audit-id': '1' },
      ['Accept', 'x', 'Audit-ID', '1'],
    ]);
    expect(fields).to.deep.equal(['Content-Type', 'text/plain', 'Content-Length', String(text.length)]);
  });

  it('refuses, and does not send, a field that would be two', () => {
    const recorded = new Recorded(link, { own: ['A', 'b\nX-Remote-User\nroot'] });
    expect(link.open).to.equal(0);
    expect(recorded.status).to.equal(0);
  });

  const answers: readonly (readonly [what: string, handler: Handler, status: number, text: string])[] = [
    [
      'in pieces',
      (_request, response) => {
        response.write('a');
        response.write(Buffer.from('b'));
        response.end('c');
      },
      200,
      'abc',
    ],
    [
      'of other encodings',
      (_request, response) => {
        response.end('6162', 'hex');
      },
      200,
      'ab',
    ],
    [
      'without a body',
      (_request, response) => {
        response.writeHead(204).end();
      },
      204,
      '',
    ],
    [
      'that may have no body',
      (_request, response) => {
        response.writeHead(304);
        response.end('no');
      },
      304,
      '',
    ],
    [
      'of a status with a text',
      (_request, response) => {
        response.writeHead(201, 'Made', { A: '1' }).end('x');
      },
      201,
      'x',
    ],
  ];
  for (const [what, answer, status, text] of answers)
    it(`carries an answer ${what}`, async () => {
      handler = answer;
      const got = await new Recorded(link).ended;
      expect([got.status, got.text]).to.deep.equal([status, text]);
    });

  it('carries no body to HEAD', async () => {
    handler = (_request, response) => {
      response.setHeader('Content-Length', 4);
      response.end('body');
    };
    const { fields, text } = await new Recorded(link, { method: 'HEAD' }).ended;
    expect(text).to.equal('');
    expect(fields).to.deep.equal(['Content-Length', '4']);
  });

  it('carries informational answers, repeated fields and trailers', async () => {
    handler = (_request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => {
        response.appendHeader('Warning', '299 - "one"');
        response.appendHeader('warning', '299 - "two"');
        response.addTrailers({ 'X-Sum': '1' });
        response.end('x');
      });
    };
    const got = await new Recorded(link).ended;
    expect(got.informed).to.deep.equal([103]);
    expect(got.fields.filter((field) => field.startsWith('299'))).to.have.length(2);
    expect(got.trailers).to.deep.equal(['X-Sum', '1']);
  });

  it('leaves out what is of one connection', async () => {
    handler = (_request, response) => {
      response.setHeader('Connection', 'close');
      response.end();
    };
    expect((await new Recorded(link).ended).fields).to.deep.equal(['Content-Length', '0']);
  });

  it('lets an answer have what it wants in front of its head, as Node does', () => {
    handler = (_request, response) => {
      response.writeHead(200);
      expect(() => response.setHeader('A', 'b')).to.throw('after they are sent');
      response.end();
    };
    return new Recorded(link).ended;
  });

  it('refuses header values that would split an answer', async () => {
    let refused: unknown;
    handler = (_request, response) => {
      try {
        response.setHeader('A', 'b\r\nSet-Cookie: x');
      } catch (error) {
        refused = error;
      }
      response.end();
    };
    await new Recorded(link).ended;
    expect(refused).to.have.property('code', 'ERR_INVALID_CHAR');
  });

  it('carries the body of a request, and gives credit as it is read', async () => {
    handler = (request, response) => {
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      request.once('end', () => response.end(`${bytes} ${request.complete}`));
    };
    const recorded = new Recorded(link, { method: 'POST', hasBody: true });
    for (let i = 0; i < 20; i++) link.body(recorded, Buffer.alloc(100_000));
    link.bodyEnd(recorded);
    expect((await recorded.ended).text).to.equal('2000000 true');
    expect(recorded.credit).to.be.greaterThan(1_000_000);
  });

  it('gives no credit for a body that nobody reads', async () => {
    handler = () => undefined;
    const recorded = new Recorded(link, { method: 'POST', hasBody: true });
    for (let i = 0; i < 20; i++) link.body(recorded, Buffer.alloc(100_000));
    await delay(50);
    expect(recorded.credit).to.equal(0);
  });

  it('holds an answer back whose credit is used up, and drops what was left when its reader has gone', async () => {
    let sent = 0;
    let closed = false;
    handler = (_request, response) => {
      response.once('close', () => {
        closed = true;
      });
      const chunk = Buffer.alloc(64 * 1024);
      const write = (): void => {
        do sent += chunk.length;
        while (response.write(chunk));
        response.once('drain', write);
      };
      write();
    };
    const recorded = new Recorded(link);
    while (recorded.bytes < windowBytes) await delay(5);
    await delay(20);
    expect(sent).to.be.at.most(windowBytes + 64 * 1024);
    link.credit(recorded, windowBytes);
    while (recorded.bytes < 2 * windowBytes) await delay(5);
    expect(closed).to.equal(false);
    link.reset(recorded);
    while (!closed) await delay(5);
  });

  it('has 8 MiB of all answers made in one turn, and lets those that wait go on in order', async () => {
    const count = 64;
    const each = 448 * 1024;
    const piece = Buffer.alloc(64 * 1024);
    const responses: ServerResponse[] = [];
    handler = (_request, response) => {
      responses.push(response);
    };
    const answers = Array.from({ length: count }, () => new Recorded(link));
    while (responses.length < count) await turn();
    let [ofTurn, most] = [0, 0];
    const drained: number[] = [];
    const pump = (response: ServerResponse, i: number, left: number): void => {
      for (let rest = left; rest > 0; rest -= piece.length) {
        ofTurn += piece.length;
        most = Math.max(most, ofTurn);
        setImmediate(() => (ofTurn = 0));
        if (response.write(piece)) continue;
        response.once('drain', () => {
          drained.push(i);
          pump(response, i, rest - piece.length);
        });
        return;
      }
      response.end();
    };
    for (const [i, response] of responses.entries()) pump(response, i, each);
    for (const { bytes } of await Promise.all(answers.map(({ ended }) => ended))) expect(bytes).to.equal(each);
    // What each has written when it is told to wait comes on top.
    expect(most).to.be.at.most(8 * 1024 * 1024 + count * piece.length + piece.length);
    const first = [...new Set(drained)];
    expect(first).to.deep.equal([...first].sort((a, b) => a - b));
  });

  it('tells the answer when its client has left, and the client when the answer is cut', async () => {
    const finished: boolean[] = [];
    handler = (request, response) => {
      response.once('close', () => {
        finished.push(response.writableFinished);
      });
      response.write('half');
      if (request.url === '/cut') setTimeout(() => response.destroy(), 5);
    };
    const cut = await new Recorded(link, { url: '/cut' }).ended;
    expect([cut.text, cut.error?.message]).to.deep.equal(['half', 'the answer was cut']);
    const left = new Recorded(link);
    while (left.bytes === 0) await delay(1);
    link.reset(left);
    while (finished.length < 2) await delay(1);
    expect(finished).to.deep.equal([false, false]);
  });

  it('breaks the body of a request off when its client leaves in the middle', async () => {
    let request: IncomingMessage | undefined;
    handler = (incoming) => {
      request = incoming;
      incoming.resume();
    };
    const recorded = new Recorded(link, { method: 'POST', hasBody: true });
    link.body(recorded, Buffer.from('half'));
    await turn();
    while (request === undefined) await delay(1);
    link.reset(recorded);
    await once(request, 'close');
    expect(request.complete).to.equal(false);
  });

  it('is over for all when its connection is', async () => {
    handler = () => undefined;
    const recorded = [new Recorded(link), new Recorded(link)];
    await delay(10);
    listener.destroy();
    for (const each of recorded) expect((await each.ended).error).to.have.property('code', 'ECONNRESET');
    expect(link.usable).to.equal(false);
  });

  it('takes no more requests when its server stops, answers those it has, and closes', async () => {
    let answer: ServerResponse | undefined;
    handler = (_request, response) => {
      answer = response;
    };
    const recorded = new Recorded(link);
    while (answer === undefined) await delay(1);
    listener.stopAccepting();
    while (link.usable) await delay(1);
    answer.end('done');
    expect((await recorded.ended).text).to.equal('done');
    while (listener.size > 0) await delay(1);
  });

  it('answers what was on its way when its server stopped', async () => {
    handler = (request, response) => response.end(request.url);
    listener.stopAccepting();
    let over = false;
    const ended = listener.ended().then(() => {
      over = true;
    });
    // The other side has not read yet that it is to send nothing more.
    expect(link.usable).to.equal(true);
    const recorded = Array.from({ length: 3 }, () => new Recorded(link));
    const answered = Promise.all(
      recorded.map(async (each) => {
        const { error, status } = await each.ended;
        return { error, status, over };
      }),
    );
    expect(await answered).to.deep.equal(recorded.map(() => ({ error: undefined, status: 200, over: false })));
    await ended;
    expect(listener.size).to.equal(0);
  });

  it('goes on for the others when one answer cannot be passed on', async () => {
    handler = (_request, response) => response.end('body');
    const bad = new Recorded(link);
    bad.head = () => {
      throw new TypeError('the stream is closed');
    };
    const good = new Recorded(link);
    expect((await bad.ended).error?.message).to.equal('the stream is closed');
    expect((await good.ended).text).to.equal('body');
  });

  it('sends an event to many for the price of one', async () => {
    const responses: ServerResponse[] = [];
    handler = (_request, response) => {
      responses.push(response);
      response.flushHeaders();
    };
    const watchers = Array.from({ length: 200 }, () => new Recorded(link));
    // Heads are written at the end of their turn, and are not what is counted.
    while (watchers.some(({ status }) => status === 0)) await delay(1);
    const { socket } = responses[0] as { socket: Socket };
    const before = socket.bytesWritten;
    const event = Buffer.alloc(3_000, 'x');
    for (const response of responses) response.write(event);
    while (watchers.some(({ bytes }) => bytes < 3_000)) await delay(1);
    expect(socket.bytesWritten - before).to.be.at.most(3_000 + 4 * 200 + 100);
    for (const watcher of watchers) link.reset(watcher);
  });

  it('hands events that came together over together, in the order of all that came', async () => {
    const responses: ServerResponse[] = [];
    handler = (_request, response) => {
      responses.push(response);
      response.flushHeaders();
    };
    const watchers = Array.from({ length: 20 }, () => new Recorded(link));
    while (responses.length < 20) await delay(1);
    const runs = new Set<PieceRun>();
    for (const watcher of watchers) {
      const pieces = watcher.pieces.bind(watcher);
      watcher.pieces = (run) => {
        runs.add(run);
        pieces(run);
      };
    }
    for (const event of ['one ', 'two ', 'three ', 'four '].map((text) => Buffer.from(text)))
      for (const [i, response] of responses.entries()) if (i > 0 || event.length < 6) response.write(event);
    (responses[1] as ServerResponse).write(Buffer.alloc(5_000, '.'));
    (responses[2] as ServerResponse).end('last');
    (responses[3] as ServerResponse).destroy();
    await (watchers[2] as Recorded).ended;
    while ((watchers[1] as Recorded).bytes < 5_000 || (watchers[3] as Recorded).error === undefined) await delay(1);
    expect(watchers.map(({ text }) => text.replace(/\.+/, '.'))).to.deep.equal([
      'one two four ',
      'one two three four .',
      'one two three four last',
      ...watchers.slice(3).map(() => 'one two three four '),
    ]);
    expect(watchers.map((watcher) => watcher.runs)).to.deep.equal(watchers.map(() => 1));
    expect(runs.size).to.equal(2);
    for (const watcher of watchers) link.reset(watcher);
  });

  it('hands nothing over to who has left in between', async () => {
    const responses: ServerResponse[] = [];
    handler = (_request, response) => {
      responses.push(response);
      response.flushHeaders();
    };
    const [first, second] = [new Recorded(link), new Recorded(link)];
    while (responses.length < 2) await delay(1);
    first.pieces = () => {
      link.reset(second);
    };
    for (const response of responses) response.write(Buffer.alloc(100));
    while (link.open > 1) await delay(1);
    await turn();
    expect(second.bytes).to.equal(0);
    link.reset(first);
  });

  const garbage: readonly (readonly [what: string, bytes: Buffer])[] = [
    ['no frames', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['a request of an unknown block', Buffer.from('0200000000000001000000040000000941', 'hex')],
    ['frames that go the other way', Buffer.from('040000000000000100000000', 'hex')],
  ];
  for (const [what, bytes] of garbage)
    it(`is closed over ${what}`, async () => {
      const socket = connect(path);
      socket.write(
        `GET /.kubechain/link HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${linkProtocol}\r\n\r\n`,
      );
      await once(socket, 'data');
      socket.on('error', () => undefined);
      socket.write(bytes);
      await once(socket, 'close');
    });

  it('is not there where nobody knows of it', async () => {
    const other = join(directory, 'other.sock');
    const plain = createServer((_request, response) => response.writeHead(401).end());
    plain.listen(other);
    await once(plain, 'listening');
    try {
      await openLink({ ...target, address: { kind: 'unix', path: other } });
      expect.fail('it was opened');
    } catch (error) {
      expect(error).to.be.instanceOf(NoLinkError);
    } finally {
      plain.closeAllConnections();
      plain.close();
    }
  });
});
