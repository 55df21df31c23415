import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import { spliceUpgrade } from './splice-upgrade.ts';

/** The client's side: what is pushed is what the client sends. */
class ClientSocket extends Duplex {
  override _read(): void {
    /* pushed by the spec */
  }
  override _write(_chunk: Buffer, _encoding: string, done: () => void): void {
    done();
  }
}

describe('a spliced upgrade', () => {
  let folder: string;
  let server: Server;
  let accepted: Promise<Socket>;
  const sockets: Socket[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'splice-'));
    server = createServer({ allowHalfOpen: true, pauseOnConnect: true });
    accepted = once(server, 'connection').then(([socket]: Socket[]) => {
      socket?.on('error', () => undefined);
      sockets.push(socket as Socket);
      return socket as Socket;
    });
    server.listen(join(folder, 'socket'));
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const splice = (
    path = join(folder, 'socket'),
  ): { client: ClientSocket; ended: Promise<ExchangeTermination>; targets: Set<Duplex> } => {
    const client = new ClientSocket();
    client.on('error', () => undefined);
    // It closes its side when the other is closed, as clients do.
    client.once('finish', () => client.push(null));
    const { promise, resolve } = Promise.withResolvers<ExchangeTermination>();
    const targets = new Set<Duplex>();
    spliceUpgrade({
      name: 'next',
      address: { kind: 'unix', path },
      connectTimeoutMs: 5_000,
      request: { method: 'GET', url: '/exec' } as IncomingMessage,
      headers: [],
      socket: client,
      head: Buffer.alloc(0),
      sockets: targets,
      ended: resolve,
    });
    return { client, ended: promise, targets };
  };

  it('ends completed when the target closes', async () => {
    const { ended } = splice();
    const target = await accepted;
    target.resume();
    target.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    expect(await ended).to.deep.equal({ kind: 'completed' });
  });

  it('ends because the client has left', async () => {
    const { client, ended } = splice();
    await accepted;
    client.destroy();
    expect(await ended).to.deep.equal({ kind: 'client_left' });
  });

  it('ends broken, with the error, when the target dies over what it was sent', async () => {
    const { client, ended, targets } = splice();
    const target = await accepted;
    const [socket] = targets as Set<Socket>;
    while ((socket?.bytesWritten ?? 0) === 0) await new Promise(setImmediate);
    // The kernel resets a connection that is closed over bytes that nobody has read.
    target.destroy();
    const reason = await ended;
    expect(reason.kind).to.equal('broken');
    expect((reason as { error?: unknown }).error).to.have.property('code', 'ECONNRESET');
    expect(client.destroyed).to.equal(true);
  });

  it('ends unreachable when there is no target', async () => {
    const { ended } = splice(join(folder, 'nobody'));
    expect((await ended).kind).to.equal('unreachable');
  });
});
