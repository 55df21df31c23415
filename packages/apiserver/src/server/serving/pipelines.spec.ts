import { expect } from 'chai';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect as connectPlain, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { Pipelines } from './pipelines.ts';
import { SecureServing } from './secure-serving.ts';
import { readOn } from './vanished-peers.ts';
import { servingPEM } from '../testing/test-server.ts';

const count = 8_000;
const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
/** What is read with the first of them, at most, where Node's parser reads: 64 KiB. */
const mostRead = count / 2;
/** What is begun of that where it is parsed in pieces. */
const mostParsed = 150;

interface Running {
  readonly connect: () => Socket;
  readonly stop: () => void;
}
type Handle = (request: IncomingMessage, response: ServerResponse) => void;
type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

const destroy: Upgrade = (_request, socket) => {
  socket.destroy();
};

async function secure(request: Handle, upgrade: Upgrade = destroy): Promise<Running> {
  const serving = new SecureServing(
    { host: '127.0.0.1', port: 0, certificate: { certFile: servingPEM, keyFile: servingPEM } },
    { request, upgrade },
  );
  await serving.listen();
  return {
    connect: () => connect({ host: '127.0.0.1', port: serving.port, rejectUnauthorized: false }),
    stop: () => {
      serving.destroy();
    },
  };
}

/** Of HTTP, where Node pauses the parser as well. */
async function plain(request: Handle): Promise<Running> {
  const pipelines = new Pipelines();
  const server = createServer((incoming, response) => {
    pipelines.add(incoming.socket, response);
    request(incoming, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    connect: () => connectPlain({ host: '127.0.0.1', port: (server.address() as AddressInfo).port }),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Resolves when so many answers have come. */
function answersOn(socket: Socket, wanted: number): Promise<void> {
  let answers = 0;
  let end = '';
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (piece: Buffer) => {
      const text = end + piece.toString('latin1');
      answers += text.split('HTTP/1.1 200').length - 1;
      end = text.slice(-11);
      if (answers >= wanted) resolve();
    });
  });
}

/** Resolves with it when it has not grown for a while. */
async function settled(value: () => number): Promise<number> {
  let seen = -1;
  while (value() === 0 || value() !== seen) {
    seen = value();
    await delay(100);
  }
  return seen;
}

describe('requests behind requests that are not answered yet', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  for (const [over, run, mostAtOnce] of [
    ['HTTPS', secure, mostParsed],
    ['HTTP', plain, mostRead],
  ] as const) {
    it(`are left unread when there are many, and answered in the end, over ${over}`, async () => {
      const waiting: ServerResponse[] = [];
      let begun = 0;
      let held = true;
      const { connect: open, stop } = await run((_request, response) => {
        begun++;
        if (held) waiting.push(response);
        else response.end('.');
      });
      const socket = open();
      socket.write(get.repeat(count));
      const answered = answersOn(socket, count);
      expect(await settled(() => begun)).to.be.within(32, mostAtOnce);
      held = false;
      for (const response of waiting) response.end('.');
      await answered;
      expect(begun).to.equal(count);
      socket.destroy();
      stop();
    }).timeout(60_000);

    it(`are left unread while answers are written that wait for the first, over ${over}`, async () => {
      const waiting: ServerResponse[] = [];
      let begun = 0;
      let open = 0;
      let mostOpen = 0;
      let held = true;
      const running = await run((_request, response) => {
        begun++;
        mostOpen = Math.max(mostOpen, ++open);
        response.once('close', () => open--);
        if (begun === 1 || (held && begun > mostAtOnce)) waiting.push(response);
        // Each is a change of what is to be written, at which Node goes on reading.
        else setImmediate(() => response.end('.'));
      });
      const socket = running.connect();
      socket.write(get.repeat(count));
      const answered = answersOn(socket, count);
      expect(await settled(() => begun)).to.be.within(32, mostAtOnce);
      held = false;
      for (const response of waiting) response.end('.');
      await answered;
      expect([begun, mostOpen <= mostAtOnce]).to.deep.equal([count, true]);
      socket.destroy();
      running.stop();
    }).timeout(60_000);

    it(`are left unread when a long answer before them has been written, over ${over}`, async () => {
      const waiting: ServerResponse[] = [];
      let begun = 0;
      let held = true;
      const running = await run((_request, response) => {
        begun++;
        if (begun === 1) response.end(Buffer.alloc(4 << 20, 'x'));
        else if (held) waiting.push(response);
        else response.end('.');
      });
      const socket = running.connect();
      const answered = answersOn(socket, count);
      socket.write(get.repeat(32));
      await settled(() => begun);
      socket.write(get.repeat(count - 32));
      expect(await settled(() => begun)).to.be.within(32, mostAtOnce);
      held = false;
      for (const response of waiting) response.end('.');
      await answered;
      expect(begun).to.equal(count);
      socket.destroy();
      running.stop();
    }).timeout(60_000);
  }

  it('leave a connection to who has upgraded it', async () => {
    const waiting: ServerResponse[] = [];
    let upgraded: Duplex | undefined;
    const running = await secure(
      (_request, response) => waiting.push(response),
      (_request, socket) => (upgraded = socket),
    );
    const socket = running.connect();
    socket.write(`${get.repeat(40)}GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`);
    while (upgraded === undefined) await delay(10);
    const got = upgraded;
    got.pause();
    let resumed = 0;
    got.on('resume', () => resumed++);
    for (const response of waiting) response.end('.');
    await answersOn(socket, 40);
    await delay(50);
    expect([waiting.length, resumed]).to.deep.equal([40, 0]);
    const read = new Promise((resolve) => got.once('data', resolve));
    got.resume();
    socket.write('ping');
    expect(String(await read)).to.equal('ping');
    socket.destroy();
    running.stop();
  }).timeout(60_000);

  it('leave all that was read behind its head to who has upgraded a connection', async () => {
    const sent = Buffer.from(Array.from({ length: 50_000 }, (_, i) => String(i)).join(' '));
    const read = new Promise<Buffer>((resolve) => {
      void secure(
        () => undefined,
        (_request, upgraded, head) => {
          let got = head;
          upgraded.on('data', (piece: Buffer) => {
            got = Buffer.concat([got, piece]);
            if (got.length >= sent.length) resolve(got);
          });
          if (got.length >= sent.length) resolve(got);
        },
      ).then((running) => {
        stops.push(running.stop);
        const socket = running.connect();
        stops.push(() => socket.destroy());
        const head = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
        socket.write(Buffer.concat([Buffer.from(head), sent]));
      });
    });
    expect((await read).equals(sent)).to.equal(true);
  });

  it('come whole, with their bodies, when they are read in pieces', async () => {
    const seen: string[] = [];
    const running = await secure((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        seen.push(`${request.headers['x-long']?.length ?? 0} ${Buffer.concat(pieces).toString()}`);
        response.end('.');
      });
    });
    stops.push(running.stop);
    const socket = running.connect();
    stops.push(() => socket.destroy());
    const bodies = Array.from({ length: 60 }, (_, i) => String(i % 10).repeat(i * 997));
    const post = 'POST / HTTP/1.1\r\nHost: a\r\n';
    const chunked = (body: string): string =>
      `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const measured = (body: string, long: number): string =>
      `${post}X-Long: ${'x'.repeat(long)}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const requests = bodies.map((body, i) => (i % 2 === 0 ? measured(body, i * 100) : chunked(body)));
    socket.write(requests.slice(2).join(''));
    await answersOn(socket, bodies.length - 2);
    expect(seen).to.deep.equal(bodies.map((body, i) => `${i % 2 === 0 ? i * 100 : 0} ${body}`).slice(2));
  });

  it('come with long bodies for whose readers they wait', async () => {
    let got = 0;
    const running = await secure((request, response) => {
      setTimeout(() => {
        request.on('data', (piece: Buffer) => (got += piece.length));
        request.on('end', () => response.end('.'));
      }, 2_500);
    });
    stops.push(running.stop);
    const socket = running.connect();
    stops.push(() => socket.destroy());
    const answered = answersOn(socket, 1);
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n');
    socket.write(Buffer.alloc(3_000_000));
    await answered;
    expect(got).to.equal(3_000_000);
  }).timeout(20_000);

  it('are not parsed behind one that is malformed', async () => {
    const running = await secure(() => undefined);
    stops.push(running.stop);
    const socket = running.connect();
    stops.push(() => socket.destroy());
    const answered = new Promise<string>((resolve) => socket.once('data', (piece: Buffer) => resolve(String(piece))));
    socket.write(`GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${get.repeat(1_000)}no request\r\n\r\n`);
    expect(await answered).to.match(/^HTTP\/1\.1 400 Bad Request/);
  });
});

describe('connections whose requests wait here', () => {
  const headMs = 40;
  let served: Socket | undefined;
  let pipelines: Pipelines;
  let refusals: number;
  let server: ReturnType<typeof createServer>;
  let client: Socket;

  beforeEach(async () => {
    pipelines = new Pipelines(headMs);
    refusals = 0;
    server = createServer((incoming, response) => {
      pipelines.add(incoming.socket, response);
    });
    server.on('connection', (socket: Socket) => {
      served = socket;
      pipelines.follow(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    client = connectPlain({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
    client.on('error', () => undefined);
  });
  afterEach(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    served = undefined;
  });

  const excused = (code: string): boolean => pipelines.excuse(served as Socket, code, () => refusals++);
  async function sent(text: string): Promise<void> {
    client.write(text);
    await delay(100);
  }

  it('are not late, nor broken off', async () => {
    await sent(get.repeat(500));
    expect([excused('ERR_HTTP_REQUEST_TIMEOUT'), excused('HPE_INVALID_METHOD')]).to.deep.equal([true, false]);
    await delay(4 * headMs);
    expect([refusals, served?.destroyed]).to.deep.equal([0, false]);
    expect(excused('HPE_INVALID_EOF_STATE')).to.equal(true);
    expect(served?.destroyed).to.equal(true);
  });

  it('do not have read what would only be kept', async () => {
    await sent(get.repeat(31));
    await sent('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90000000\r\n\r\n');
    await sent('x'.repeat(10_000_000));
    const read = served?.bytesRead ?? 0;
    for (let i = 0; i < 10; i++) {
      readOn(served as Socket);
      await delay(10);
    }
    expect((served?.bytesRead ?? 0) - read).to.equal(0);
  });

  it('are both where nothing waits but for the client', async () => {
    await sent(`${get}GET / HT`);
    expect([excused('ERR_HTTP_REQUEST_TIMEOUT'), excused('HPE_INVALID_EOF_STATE')]).to.deep.equal([false, false]);
  });
});
