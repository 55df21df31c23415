import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS, type TLSSocket } from 'node:tls';
import { systemClock } from '@kubechain/apimachinery';
import { readBody } from '../../endpoints/handlers/read-body.ts';
import type { ResourceHandler, ResourceRoute } from '../../endpoints/route.ts';
import { FlowControl } from '../../flowcontrol/flow-control.ts';
import { FlowMetrics } from '../../flowcontrol/flow-metrics.ts';
import { queueLevel, schemaOf } from '../../flowcontrol/testing/flow-fixtures.ts';
import { configureLogging } from '../../logging/logger.ts';
import { httpDelegate } from '../delegation/http-delegate.ts';
import { hpackHeaders, http2Flags, http2Frame, http2FrameTypes, http2Preface } from '../../testing/http2-frames.ts';
import { runTestServer, type RunningTestServer } from '../testing/test-server.ts';

const seats = 100;
const streams = 400;
const connections = 120;
const pipelined = 10;
const half = '{"half":';

const route = (verb: string, handler: ResourceHandler): ResourceRoute => ({
  namespaced: false,
  handlers: new Map([[verb, handler]]),
});
const silent: ResourceHandler = () => {
  /* never answers */
};
/** Stages that a request may be in when its client leaves: here, or in the next process. */
const stages = [
  { name: 'in its handler', method: 'GET', path: '/api/v1/silent' },
  { name: 'in its handler, without a body to come', method: 'HEAD', path: '/silent' },
  { name: 'half sent', method: 'POST', path: '/api/v1/bodies' },
  { name: 'half sent to a handler that does not read on', method: 'POST', path: '/api/v1/pausing' },
  { name: 'answered and not read', method: 'GET', path: '/api/v1/large' },
  { name: 'in the next process', method: 'GET', path: '/apis/behind/v1/silent' },
  { name: 'in the next process, without a body to come', method: 'HEAD', path: '/behind/silent' },
  { name: 'half sent to the next process', method: 'POST', path: '/apis/behind/v1/bodies' },
  { name: 'a watch', method: 'GET', path: '/api/v1/silent?watch=true' },
] as const;
type Stage = (typeof stages)[number];

const large = Buffer.alloc(1 << 16, 'x');

function install(server: RunningTestServer['server'], group: string): void {
  server.routes.set(
    { group, version: 'v1', resource: 'silent', subresource: '' },
    {
      namespaced: false,
      handlers: new Map([
        ['list', silent],
        ['watch', silent],
      ]),
    },
  );
  server.nonResourceMux.handle(group === '' ? '/silent' : '/behind/silent', () => {
    /* never answers */
  });
  server.routes.set(
    { group, version: 'v1', resource: 'bodies', subresource: '' },
    route('create', async (request, response) => {
      await readBody(request, 1 << 20);
      wholeBodies++;
      response.end();
    }),
  );
  server.routes.set(
    { group, version: 'v1', resource: 'pausing', subresource: '' },
    route('create', (request) => {
      request.once('data', () => request.pause());
    }),
  );
  server.routes.set(
    { group, version: 'v1', resource: 'large', subresource: '' },
    route('list', (_request, response) => {
      response.end(large);
    }),
  );
}

const { data, goaway, headers, reset, settings } = http2FrameTypes;
const { endHeaders, endStream } = http2Flags;
const cancel = 8;
const ids = Array.from({ length: streams }, (_, i) => 2 * i + 1);

const resets = (code: number): Buffer =>
  Buffer.concat(ids.map((stream) => http2Frame(reset, { stream, payload: Buffer.from([0, 0, 0, code]) })));

/** What a client says last on an HTTP/2 connection with open streams. */
const leavings: readonly (readonly [string, Buffer])[] = [
  ['reset as cancelled', resets(cancel)],
  ['reset without an error', resets(0)],
  ['left with GOAWAY', http2Frame(goaway, { payload: Buffer.alloc(8) })],
  ['left with an error', http2Frame(data, { stream: 0, payload: Buffer.alloc(1) })],
  ['left with the socket', Buffer.alloc(0)],
];

/** Bodies that were taken for whole. */
let wholeBodies = 0;

describe('requests that their clients abandon', () => {
  const directory = mkdtempSync(join(tmpdir(), 'abandoned-'));
  const path = join(directory, 'back.sock');
  const metrics = new FlowMetrics(0);
  const flowControl = new FlowControl({
    clock: systemClock,
    metrics,
    serverLimit: seats,
    defaultWaitMs: 60_000,
    stats: { of: () => undefined },
  });
  let front: RunningTestServer;
  let behind: RunningTestServer;
  let port: number;

  before(async () => {
    configureLogging({ verbosity: 0, write: () => undefined });
    flowControl.configure({
      levels: [queueLevel('l', { shares: 1_000, queues: 1, handSize: 1, queueLengthLimit: streams })],
      schemas: [schemaOf('s', 'l')],
    });
    const prepare =
      (group: string) =>
      (server: RunningTestServer['server']): void => {
        install(server, group);
      };
    behind = await runTestServer(
      { delegateListener: { address: { kind: 'unix', path } }, requestTimeoutMs: 600_000 },
      { name: 'back', prepare: prepare('behind') },
    );
    front = await runTestServer(
      {
        flowController: flowControl,
        requestTimeoutMs: 600_000,
        authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) },
      },
      {
        name: 'front',
        delegate: httpDelegate({ name: 'back', address: { kind: 'unix', path } }),
        prepare: prepare(''),
      },
    );
    port = front.info.securePort ?? 0;
  });
  after(async () => {
    await front.stop();
    await behind.stop();
    rmSync(directory, { recursive: true });
    configureLogging({ verbosity: 0 });
  });

  afterEach(() => {
    expect(wholeBodies).to.equal(0);
  });

  const level = (): { inUse: number; waiting: number } => {
    const queues = flowControl.levels.get('l')?.queues;
    return { inUse: queues?.seatsInUse ?? -1, waiting: queues?.waiting ?? -1 };
  };

  /** Waits until all that was opened has got as far as it gets. */
  async function until(condition: () => boolean): Promise<void> {
    for (let i = 0; i < 300 && !condition(); i++) await delay(10);
  }
  const taken = (): boolean => level().inUse > 0 && level().inUse + level().waiting >= Math.min(seats, streams);
  async function expectFree(): Promise<void> {
    await until(() => level().inUse === 0 && level().waiting === 0);
    expect(level()).to.deep.equal({ inUse: 0, waiting: 0 });
  }

  for (const stage of stages) {
    describe(stage.name, () => {
      for (const [leaving, lastWords] of leavings) {
        for (const pauseMs of [0, 5, Infinity]) {
          const when = pauseMs === Infinity ? 'when all have got on' : `after ${pauseMs} ms`;
          it(`over HTTP/2, ${leaving} ${when}, keep no seat`, async () => {
            const socket = connect(port, 'h2');
            socket.write(Buffer.concat([openStreams(stage), ...(pauseMs === 0 ? [lastWords] : [])]));
            if (pauseMs === Infinity) await until(taken);
            else await delay(pauseMs);
            if (pauseMs !== 0) socket.write(lastWords);
            if (leaving.startsWith('left')) socket.destroy();
            try {
              await expectFree();
            } finally {
              socket.destroy();
            }
          });
        }
      }

      it('over HTTP/1.1, one and many on a connection, keep no seat', async () => {
        const sockets = Array.from({ length: connections }, () => openPipeline(port, stage));
        await until(taken);
        await delay(20);
        for (const socket of sockets) socket.destroy();
        await expectFree();
      });
    });
  }
});

/** All streams, in one piece. */
function openStreams({ method, path }: Stage): Buffer {
  const block = hpackHeaders({
    ':method': method,
    ':scheme': 'https',
    ':authority': 'a',
    ':path': path,
    authorization: 'Bearer alice',
  });
  return Buffer.concat([
    Buffer.from(http2Preface),
    // The window of each stream: a little.
    http2Frame(settings, { payload: Buffer.from([0, 4, 0, 0, 0, 100]) }),
    ...ids.flatMap((stream) =>
      method === 'POST'
        ? [
            http2Frame(headers, { flags: endHeaders, stream, payload: block }),
            http2Frame(data, { stream, payload: Buffer.from(half) }),
          ]
        : [http2Frame(headers, { flags: endHeaders | endStream, stream, payload: block })],
    ),
  ]);
}

function connect(port: number, protocol: string): TLSSocket {
  const socket = connectTLS({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: [protocol] });
  socket.on('error', () => undefined);
  return socket;
}

function openPipeline(port: number, { method, path }: Stage): TLSSocket {
  const socket = connect(port, 'http/1.1');
  const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer alice\r\n`;
  socket.write(method === 'POST' ? `${head}Content-Length: 1000\r\n\r\n${half}` : `${head}\r\n`.repeat(pipelined));
  return socket;
}
