import { systemClock } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceHandler } from '../endpoints/route.ts';
import { configureLogging } from '../logging/logger.ts';
import { ask, runTestServer, type Answer, type RunningTestServer } from '../server/testing/test-server.ts';
import { SideThread } from './side-thread.ts';

const program = new URL('testing/side-main.ts', import.meta.url).pathname;
const path = '/api/v1/asides';

describe('the side server', function () {
  this.timeout(60_000);
  let front: RunningTestServer;
  let side: SideThread;
  let logged: string;

  const begin = (how: string): void => {
    side = new SideThread({ program: { path: program, argv: [how] }, clock: systemClock });
  };
  const get = (query = ''): Promise<Answer> => ask(front.info.securePort ?? 0, path + query);
  const post = (body: Buffer): Promise<Answer> => ask(front.info.securePort ?? 0, path, { method: 'POST', body });
  const folders = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('kubechain-side-'));

  beforeEach(async () => {
    logged = '';
    configureLogging({ verbosity: 0, write: (line) => (logged += line) });
    const handler: ResourceHandler = async (request, response, context) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = pieces.length === 0 ? {} : { body: Buffer.concat(pieces) };
      if (!(await side.takes({ request, response, context, ...body }))) response.end('here');
    };
    front = await runTestServer(
      {},
      {
        prepare: (server) => {
          server.routes.set(
            { group: '', version: 'v1', resource: 'asides', subresource: '' },
            {
              namespaced: false,
              handlers: new Map([
                ['list', handler],
                ['create', handler],
              ]),
            },
          );
        },
      },
    );
  });
  afterEach(async () => {
    await front.stop();
    await side.close();
    configureLogging({ verbosity: 0 });
  });

  it('answers in place of the one in front, for the user that this has found', async () => {
    begin('answers');
    expect((await get('?a=b')).body).to.equal(`GET ${path}?a=b 0 for admin`);
    expect((await post(Buffer.alloc(3_000_000, 'a'))).body).to.equal(`POST ${path} 3000000 for admin`);
  });

  it('records what it answers with whoever takes events for the audit log', async () => {
    begin('answers');
    const recorded: string[] = [];
    side.recordTo((events) => recorded.push(...events.map(({ auditID }) => auditID)) > 0);
    expect((await get('?record')).body).to.equal(`GET ${path}?record 0 for admin`);
    for (let tries = 0; recorded.length === 0 && tries < 500; tries++) await delay(10);
    expect(recorded).to.deep.equal(['recorded']);
  });

  it('leaves requests to the one in front when it cannot begin', async () => {
    begin('fails');
    expect((await get()).body).to.equal('here');
    expect((await get()).body).to.equal('here');
    expect(logged.match(/no side server/g)).to.have.length(1);
  });

  it('begins again after it has ended', async () => {
    begin('answers');
    expect((await get('?end')).status).to.equal(503);
    expect((await get('?again')).body).to.equal(`GET ${path}?again 0 for admin`);
    expect(logged).to.include('the side server has ended');
  });

  it('has a request wait for another one when the end of the first is not told yet', async () => {
    begin('answers');
    expect((await get('?lose')).status).to.equal(503);
    expect((await get('?again')).body).to.equal(`GET ${path}?again 0 for admin`);
  });

  it('has another one answer what could not be handed over', async () => {
    begin('answers');
    expect((await get('?deaf')).status).to.equal(200);
    expect((await post(Buffer.alloc(3_000_000, 'a'))).body).to.equal(`POST ${path} 3000000 for admin`);
  });

  it('counts what it does', async () => {
    const registry = new MetricRegistry();
    begin('answers');
    side.register(registry);
    await get();
    await get('?end');
    await get('?again');
    await side.close();
    const counted = ['begins', 'requests', 'ends'].map((what) =>
      registry.samples(`kubechain_side_server_${what}_total`).map(({ labels, value }) => ({ ...labels, value })),
    );
    expect(counted).to.deep.equal([
      [{ result: 'begun', value: 2 }],
      [
        { reason: 'completed', value: 2 },
        { reason: 'unreachable', value: 1 },
      ],
      [
        { reason: 'failed', value: 1 },
        { reason: 'shutdown', value: 1 },
      ],
    ]);
  });

  it('leaves nothing behind', async () => {
    const before = folders();
    begin('answers');
    await get();
    expect(folders()).to.have.length(before.length + 1);
    await side.close();
    expect(folders()).to.deep.equal(before);
    expect((await get()).body).to.equal('here');
  });
});
