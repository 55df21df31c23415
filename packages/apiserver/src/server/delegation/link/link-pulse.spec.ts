import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClientLink, LinkAnswer } from './client-link.ts';
import { LinkListener } from './link-listener.ts';
import { LinkPulse } from './link-pulse.ts';
import { openLink } from './open-link.ts';
import type { PieceRun } from './piece-run.ts';

/** A request whose answer does not come, as of a watch without events. */
class Quiet implements LinkAnswer {
  readonly id: number;
  lastTurn = 0;
  lastPlace = 0;
  run: PieceRun | undefined = undefined;
  error: Error | undefined;

  constructor(link: ClientLink) {
    this.id = link.nextID();
    link.request(this, { method: 'GET', url: '/quiet', block: [], own: [], hasBody: false });
  }
  head(): void {}
  information(): void {}
  body(): void {}
  pieces(): void {}
  end(): void {}
  credited(): void {}
  failed(): void {}
  broken(error: Error): void {
    this.error = error;
  }
}

describe('the pulse of a link', () => {
  const directory = mkdtempSync(join(tmpdir(), 'pulse-'));
  const path = join(directory, 'back.sock');
  const asked: string[] = [];
  let server: Server;
  let listener: LinkListener;
  let back: Socket;
  let link: ClientLink;
  let clock: FakeClock;
  let pulse: LinkPulse;

  before(async () => {
    listener = new LinkListener((request, response) => {
      asked.push(request.url ?? '');
      if (request.url !== '/quiet') response.end('ok');
    });
    server = createServer();
    server.on('upgrade', (request, socket, head) => {
      back = socket as Socket;
      listener.accept(request, socket, head);
    });
    server.listen(path);
    await once(server, 'listening');
  });
  after(() => {
    listener.destroy();
    server.close();
    rmSync(directory, { recursive: true });
  });
  beforeEach(async () => {
    asked.length = 0;
    link = await openLink({ address: { kind: 'unix', path }, connectTimeoutMs: 2_000 });
    clock = new FakeClock();
    pulse = new LinkPulse(link, { clock });
  });
  afterEach(() => {
    pulse.stop();
    link.destroy(new Error('the test is over'));
  });
  const arrived = async (what: () => boolean): Promise<void> => {
    for (const end = Date.now() + 20_000; !what() && Date.now() < end;) await delay(2);
  };

  it('is asked for where a watch hears nothing, and then lets it be', async () => {
    const watch = new Quiet(link);
    await arrived(() => asked.includes('/quiet'));
    await clock.advance(5_000);
    await arrived(() => asked.includes('/livez/ping') && link.open === 1);
    for (let i = 0; i < 5; i++) {
      await clock.advance(5_000);
      await arrived(() => link.open === 1);
    }
    expect(watch.error).to.equal(undefined);
    expect(link.over).to.equal(false);
  });

  it('is not asked for where nobody waits', async () => {
    await clock.advance(60_000);
    await delay(20);
    expect(asked).to.deep.equal([]);
  });

  it('ends a link without one, so that its watches end', async () => {
    const watch = new Quiet(link);
    await arrived(() => asked.includes('/quiet'));
    back.pause();
    await clock.advance(5_000);
    expect(watch.error).to.equal(undefined);
    await clock.advance(5_000);
    await arrived(() => watch.error !== undefined);
    expect(watch.error?.message).to.equal('the link does not answer');
  });

  it('is not asked for while a debugger holds one of the two', async () => {
    pulse.stop();
    pulse = new LinkPulse(link, { clock, wanted: () => false });
    const watch = new Quiet(link);
    await arrived(() => asked.includes('/quiet'));
    back.pause();
    await clock.advance(60_000);
    await delay(20);
    expect(watch.error).to.equal(undefined);
  });
});
