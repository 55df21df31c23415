import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTLS } from 'node:tls';
import { clientAddress } from '../../request/client-address.ts';
import type { ResourceHandler } from '../../endpoints/route.ts';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Handler } from '../../request/filter.ts';
import { serverContext } from '../../request/server-context.ts';
import { configureLogging } from '../../logging/logger.ts';
import {
  ask,
  askH2,
  fixtureAuthority,
  connectH2,
  frontProxyPEM,
  proxyCAPEM,
  runTestServer,
  servingPEM,
  type Answer,
  type RunningTestServer,
} from '../testing/test-server.ts';
import type { GenericAPIServer } from '../generic-api-server.ts';
import { readFileSync } from 'node:fs';
import type { DelegateAddress } from './delegate-address.ts';
import { httpDelegate, type HttpDelegateOptions } from './http-delegate.ts';

const ca = fixtureAuthority();

const who: ResourceHandler = (request, response, context) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      client: clientAddress(serverContext(request)),
      user: context.user,
      audit: context.auditID,
      traceparent: request.headers['traceparent'],
      authorization: request.headers.authorization,
      raw: request.rawHeaders.filter((_value, i) => i % 2 === 0).map((name) => name.toLowerCase()),
    }),
  );
};
const route = (
  verb: string,
  handler: ResourceHandler,
): { readonly namespaced: false; readonly handlers: ReadonlyMap<string, ResourceHandler> } => ({
  namespaced: false,
  handlers: new Map([[verb, handler]]),
});

/** What the second server of the chain serves in these specs. */
interface Back {
  watchers: number;
  aborted: number;
  sent: number;
  uploads: number;
  brokenUploads: number;
  readonly connections: Set<object>;
}

function installBack(server: GenericAPIServer, back: Back): void {
  server.routes.set(
    { group: '', version: 'v1', resource: 'whoami', subresource: '' },
    route('list', (request, response, context) => {
      back.connections.add(request.socket);
      return who(request, response, context);
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'watched', subresource: '' },
    route('watch', (_request, response, context) => {
      back.watchers++;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"type":"ADDED"}\n');
      context.signal.addEventListener('abort', () => {
        back.watchers--;
        back.aborted++;
        response.end();
      });
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'slow', subresource: '' },
    route('list', () => {
      /* never answers */
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'big', subresource: '' },
    route('list', (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'x');
      const send = (): void => {
        while (back.sent < 4_096 && !response.destroyed) {
          back.sent++;
          if (!response.write(chunk)) {
            response.once('drain', send);
            return;
          }
        }
        response.end();
      };
      send();
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'upload', subresource: '' },
    route('create', (request, response) => {
      back.uploads++;
      let length = 0;
      request.on('data', (data: Buffer) => {
        length += data.length;
      });
      request.on('close', () => {
        if (!request.complete) back.brokenUploads++;
      });
      request.on('end', () => {
        response.end(String(length));
      });
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'trailers', subresource: '' },
    route('list', (_request, response) => {
      response.writeHead(200, { Trailer: 'X-Checksum', Warning: ['299 - "one"', '299 - "two"'] });
      response.write('body');
      response.addTrailers({ 'X-Checksum': 'abc' });
      response.end();
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'hinting', subresource: '' },
    route('list', (_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => {
        response.end('done');
      });
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'cut', subresource: '' },
    route('list', (_request, response) => {
      response.writeHead(200);
      response.write('half');
      setTimeout(() => {
        response.destroy();
      }, 20);
    }),
  );
  server.routes.set(
    { group: '', version: 'v1', resource: 'echo', subresource: '' },
    {
      namespaced: false,
      handlers: new Map(),
      upgrades: new Map([
        [
          'list',
          (request: IncomingMessage, socket: Duplex, head: Buffer) => {
            socket.write(
              `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${String(request.headers.upgrade)}\r\nConnection: ` +
                `Upgrade\r\n\r\n`,
            );
            if (head.length > 0) socket.write(head);
            socket.pipe(socket);
          },
        ],
      ]),
    },
  );
}

for (const link of [true, false])
  describe(`the hop between processes over ${link ? 'a link' : 'HTTP'}`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'hop-'));
    const back: Back = { watchers: 0, aborted: 0, sent: 0, uploads: 0, brokenUploads: 0, connections: new Set() };
    const path = join(directory, 'back.sock');
    let behind: RunningTestServer;
    let front: RunningTestServer;
    let port: number;

    before(async () => {
      configureLogging({
        verbosity: 0,
        write() {
          /* failures are provoked here */
        },
      });
      behind = await runTestServer(
        { delegateListener: { address: { kind: 'unix', path } }, servedByHeader: true },
        {
          name: 'back',
          prepare: (server) => {
            installBack(server, back);
          },
        },
      );
      front = await runTestServer(
        {},
        { name: 'front', delegate: httpDelegate({ name: 'back', address: { kind: 'unix', path }, link }) },
      );
      port = front.info.securePort ?? 0;
    });
    after(async () => {
      await front.stop();
      await behind.stop();
      rmSync(directory, { recursive: true });
      configureLogging({ verbosity: 0 });
    });

    describe('identity', () => {
      const asked = async (
        headers: Record<string, string | string[]>,
        token = 'admin',
      ): Promise<{
        client: string;
        user: object;
        raw: string[];
        audit: string;
        traceparent?: string;
        authorization?: string;
      }> => JSON.parse((await ask(port, '/api/v1/whoami', { token, headers })).body) as never;

      it('is what the first process found out, whatever the client says about itself', async () => {
        const { user, raw, authorization } = await asked({
          'X-Remote-User': 'root',
          'x-remote-group': ['system:masters', 'other'],
          'X-REMOTE-EXTRA-Scopes': 'all',
          'X-Remote-Uid': '0',
          'X-Kubechain-Identity': Buffer.from('{"user":{"name":"root","groups":[]}}').toString('base64'),
          Connection: 'keep-alive, X-Named',
          'X-Named': 'dropped',
          'Proxy-Authorization': 'Basic x',
          'X-Kept': 'yes',
        });
        expect(user).to.deep.equal({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
        expect(authorization).to.equal(undefined);
        expect(raw.filter((name) => name.startsWith('x-remote-'))).to.deep.equal([
          'x-remote-user',
          'x-remote-group',
          'x-remote-group',
        ]);
        expect(raw)
          .to.include('x-kept')
          .and.not.include('x-named')
          .and.not.include('proxy-authorization')
          .and.not.include('x-kubechain-identity');
      });

      it('carries impersonated users with every part, also those that no header can say', async () => {
        const { user } = await asked({
          'Impersonate-User': Buffer.from('josé').toString('latin1'),
          'Impersonate-Group': ['a', 'ops, night', 'system:masters'],
          'Impersonate-Uid': 'u',
          'Impersonate-Extra-acme.com%2Fproject': ['p', 'q'],
          'Impersonate-Extra-scopes': 'x',
        });
        expect(user).to.deep.equal({
          name: 'josé',
          uid: 'u',
          groups: ['a', 'ops, night', 'system:masters', 'system:authenticated'],
          extra: { 'acme.com/project': ['p', 'q'], scopes: ['x'] },
        });
      });

      it('goes with the address of the client, which nobody else can tell', async () => {
        const { client, raw } = await asked({ 'X-Kubechain-Client': '192.0.2.1:1' });
        expect(client).to.match(/^127\.0\.0\.1:\d+$/);
        expect(raw.filter((name) => name === 'x-kubechain-client')).to.have.length(1);
      });

      it('goes with the audit id and the trace', async () => {
        const { audit, traceparent } = await asked({
          'audit-id': 'my-audit-id',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        });
        expect(audit).to.equal('my-audit-id');
        expect(traceparent).to.equal('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
      });

      it('is not believed on the secure port of the next process', async () => {
        const { status, body } = await ask(behind.info.securePort ?? 0, '/api/v1/whoami', {
          token: '',
          headers: { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' },
        });
        expect(status).to.equal(403);
        expect(body).to.contain('User \\"system:anonymous\\"');
      });

      it("is demanded on the delegate listener, whose socket is the owner's alone", async () => {
        expect(statSync(path).mode & 0o777).to.equal(0o600);
        const status = await new Promise((resolve, reject) => {
          plainRequest({ socketPath: path, path: '/api/v1/whoami' }, (response) => {
            response.resume().on('end', () => {
              resolve(response.statusCode);
            });
          })
            .on('error', reject)
            .end();
        });
        expect(status).to.equal(401);
      });
    });

    it('asks what is stored behind it', async () => {
      const pods = { group: '', resource: 'pods' };
      behind.server.setObjectCounts(() =>
        Promise.resolve([
          { resource: pods, objects: 2, bytes: 600 },
          { resource: { group: 'apps', resource: 'deployments' }, objects: undefined, bytes: undefined },
        ]),
      );
      front.server.setObjectCounts(() =>
        Promise.resolve([{ resource: { group: 'x.io', resource: 'things' }, objects: 1, bytes: undefined }]),
      );
      expect([...(await front.server.objectStats(AbortSignal.timeout(2_000)))]).to.deep.equal([
        ['pods', { objects: 2, bytes: 600 }],
        ['things.x.io', { objects: 1, bytes: undefined }],
      ]);
    });

    it('answers unknown paths at the end of the chain, and tells who answered', async () => {
      const answer = await ask(port, '/nonsense');
      expect([answer.status, answer.body, answer.headers['x-kubechain-served-by']]).to.deep.equal([
        404,
        '404 page not found\n',
        'back',
      ]);
    });

    it('merges health reports and paths', async () => {
      const { body } = await ask(port, '/readyz?verbose');
      expect(body).to.equal(
        '[+]ping ok\n[+]log ok\n[+]informer-sync ok\n[+]poststarthook/start-apiserver-admission-initializer ' +
          'ok\n[+]poststarthook/generic-apiserver-start-informers ' +
          'ok\n[+]poststarthook/storage-object-count-tracker-hook ok\n[+]shutdown ok\nreadyz check passed\n',
      );
      expect((JSON.parse((await ask(port, '/')).body) as { paths: string[] }).paths).to.include('/readyz/shutdown');
    });

    it('sends large bodies both ways', async () => {
      const { body } = await ask(port, '/api/v1/upload', { method: 'POST', body: Buffer.alloc(20_000_000) });
      expect(body).to.equal('20000000');
      const session = connectH2(port);
      expect((await askH2(session, '/api/v1/upload', { method: 'POST', body: Buffer.alloc(3_000_000) })).body).to.equal(
        '3000000',
      );
      session.close();
    });

    it('passes trailers and repeated headers', async () => {
      const { trailers, headers } = await ask(port, '/api/v1/trailers');
      expect(trailers).to.deep.equal({ 'x-checksum': 'abc' });
      expect(headers['warning']).to.equal('299 - "one", 299 - "two"');
    });

    it('passes informational answers before the final one', async () => {
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connectTLS({ host: '127.0.0.1', port, ca });
        let received = '';
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString();
        });
        socket.on('end', () => {
          resolve(received);
        });
        socket.on('error', reject);
        socket.write(
          'GET /api/v1/hinting HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nConnection: close\r\n\r\n',
        );
      });
      expect(text).to.match(/^HTTP\/1\.1 103 Early Hints\r\n[^]*style\.css[^]*HTTP\/1\.1 200 OK\r\n[^]*done/);
    });

    it('asks for a body that its sender holds back until it is told to go on', async () => {
      const text = await new Promise<string>((resolve, reject) => {
        const socket = connectTLS({ host: '127.0.0.1', port, ca });
        let received = '';
        socket.on('data', (chunk: Buffer) => {
          received += chunk.toString();
          if (received === 'HTTP/1.1 100 Continue\r\n\r\n') socket.write('12345');
        });
        socket.on('end', () => {
          resolve(received);
        });
        socket.on('error', reject);
        socket.write(
          'POST /api/v1/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nExpect: ' +
            '100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
        );
      });
      expect(text).to.match(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*\b5\b/);
    });

    it(
      'ends the request at the target when the client breaks its ' + 'connection off in the middle of the body',
      async () => {
        const aborted = back.brokenUploads;
        const begun = back.uploads;
        const socket = connectTLS({ host: '127.0.0.1', port, ca });
        socket.on('error', () => {
          /* it is destroyed below */
        });
        socket.write(
          'POST /api/v1/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nContent-Length: 1000000\r\n\r\n',
        );
        socket.write(Buffer.alloc(1_000));
        while (back.uploads === begun) await delay(5);
        socket.destroy();
        for (let i = 0; back.brokenUploads === aborted && i < 3_000; i++) await delay(20);
        expect(back.brokenUploads).to.equal(aborted + 1);
        expect((await ask(port, '/api/v1/whoami')).status).to.equal(200);
      },
    );

    it('uses its connections again', async () => {
      for (let i = 0; i < 10; i++) await ask(port, '/api/v1/whoami');
      const before = back.connections.size;
      for (let i = 0; i < 50; i++) await ask(port, '/api/v1/whoami');
      expect(back.connections.size).to.equal(before);
    });

    it('cuts the client off when the target dies in the middle, instead of ending a half answer', async () => {
      let error: unknown;
      await ask(port, '/api/v1/cut').catch((reason: unknown) => {
        error = reason;
      });
      expect((error as NodeJS.ErrnoException).code).to.equal('ECONNRESET');
    });

    it('holds back a target whose client reads slowly', async () => {
      back.sent = 0;
      const socket = connectTLS({ host: '127.0.0.1', port, ca });
      await new Promise((resolve) => socket.once('secureConnect', resolve));
      socket.write('GET /api/v1/big HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\n\r\n');
      socket.pause();
      // 256 MiB are to be sent; what is on its way are socket buffers, not the answer in the memory of the process in
      // front.
      let sent: number;
      do {
        sent = back.sent;
        await delay(500);
      } while (sent === 0 || back.sent !== sent);
      expect(sent).to.be.lessThan(1_000);
      await delay(200);
      expect(back.sent).to.equal(sent);
      socket.destroy();
    });

    it('serves thousands of watches at once, and ends them at the target when clients go', async () => {
      const sessions = Array.from({ length: 20 }, () => connectH2(port));
      const aborted = back.aborted;
      // In waves: front, target and clients share one event loop here, and a target that is kept from answering
      // counts as
      // silent.
      for (let wave = 0; wave < 20; wave++)
        await Promise.all(
          sessions.flatMap((session) =>
            Array.from(
              { length: 5 },
              () =>
                new Promise<void>((resolve, reject) => {
                  const stream = session.request({
                    ':path': '/api/v1/watched?watch=true',
                    authorization: 'Bearer admin',
                  });
                  stream.once('data', (chunk: Buffer) => {
                    if (chunk.toString().includes('ADDED')) resolve();
                    else reject(new TypeError(chunk.toString()));
                  });
                  stream.on('error', reject);
                }),
            ),
          ),
        );
      expect(back.watchers).to.equal(2_000);
      expect((await ask(port, '/api/v1/whoami')).status).to.equal(200);
      for (const session of sessions) session.destroy();
      while (back.watchers > 0) await delay(20);
      expect(back.aborted - aborted).to.equal(2_000);
    }).timeout(120_000);

    it('splices upgrades: authenticated in front, half-closed, and refused where nobody takes them', async () => {
      const upgrade = (target: string, token = 'admin'): Promise<string> =>
        new Promise((resolve, reject) => {
          const socket = connectTLS({ host: '127.0.0.1', port, ca });
          let text = '';
          socket.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            if (text.endsWith('\r\n\r\n')) socket.write('ping');
            if (text.endsWith('ping')) socket.end();
          });
          socket.on('end', () => {
            resolve(text);
          });
          socket.on('error', reject);
          socket.write(
            `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: ` +
              `Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`,
          );
        });
      expect(await upgrade('/api/v1/echo')).to.match(
        /^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: SPDY\/3\.1\r\n[^]*ping$/,
      );
      expect(await upgrade('/api/v1/echo', 'alice')).to.match(/^HTTP\/1\.1 403 Forbidden\r\n/);
      expect(await upgrade('/api/v1/nosuch')).to.match(/^HTTP\/1\.1 404 Not Found\r\n/);
    });

    it('counts upgrades that it cuts off because this server goes away', async () => {
      const delegate = httpDelegate({ name: 'back', address: { kind: 'unix', path } });
      const leaving = await runTestServer({}, { name: 'leaving', delegate });
      try {
        const socket = connectTLS({ host: '127.0.0.1', port: leaving.info.securePort ?? 0, ca });
        socket.on('error', () => undefined);
        socket.write(
          'GET /api/v1/echo HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nConnection: ' +
            'Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n',
        );
        const [answer] = (await once(socket, 'data')) as [Buffer];
        expect(answer.toString()).to.match(/^HTTP\/1\.1 101 /);
        const closed = once(socket, 'close');
        await delegate.close();
        await closed;
        const registry = new MetricRegistry();
        delegate.registerMetrics?.(registry);
        expect(registry.samples('apiserver_delegate_terminations_total')).to.deep.include({
          value: 1,
          labels: { delegate: 'back', exchange: 'upgrade', reason: 'shutting_down' },
        });
      } finally {
        await leaving.stop();
      }
    });

    it('shows where the time went, to those who may see it', async () => {
      const headers = { 'X-Kubechain-Server-Timing': '1' };
      expect((await ask(port, '/api/v1/whoami', { headers })).headers['server-timing']).to.match(
        /^back\.filters;dur=[\d.]+, back\.total;dur=[\d.]+, front\.filters;dur=[\d.]+, front\.hop;dur=[\d.]+, front\.total;dur=[\d.]+$/,
      );
      expect((await ask(port, '/api/v1/whoami')).headers['server-timing']).to.equal(undefined);
    });
  });

describe('a target that is gone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'hop-dead-'));
  after(() => {
    rmSync(directory, { recursive: true });
  });

  /**
   * What something resolves to and the milliseconds of the first try that takes less than `ms`, or of the last: once is
   * enough, the machine may be busy.
   */
  async function fastest<T>(run: () => Promise<T>, ms: number): Promise<[T, number]> {
    for (let tries = 1; ; tries++) {
      const startedAt = performance.now();
      const result = await run();
      const took = performance.now() - startedAt;
      if (took < ms || tries === 20) return [result, took];
    }
  }

  async function withFront(
    options: Partial<HttpDelegateOptions> & { readonly address: DelegateAddress },
    run: (port: number) => Promise<void>,
  ): Promise<void> {
    configureLogging({
      verbosity: 0,
      write() {
        /* failures are provoked here */
      },
    });
    const front = await runTestServer(
      {},
      {
        name: 'front',
        delegate: httpDelegate({ name: 'back', ...options }),
        prepare(server) {
          const own: Handler = (_request, response) => {
            response.end('own');
          };
          server.nonResourceMux.handle('/own', own);
        },
      },
    );
    try {
      await run(front.info.securePort ?? 0);
    } finally {
      await front.stop();
      configureLogging({ verbosity: 0 });
    }
  }

  it('gives 503 at once, fails readyz but not livez, and leaves the others alone', async () => {
    await withFront({ address: { kind: 'unix', path: join(directory, 'none.sock') } }, async (port) => {
      const [answer, ms] = await fastest(() => ask(port, '/api/v1/pods'), 1_000);
      expect(ms).to.be.lessThan(1_000);
      expect(answer.status).to.equal(503);
      expect(answer.headers['retry-after']).to.equal('1');
      expect(JSON.parse(answer.body)).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'error trying to reach back: connection refused',
        reason: 'ServiceUnavailable',
        details: { retryAfterSeconds: 1 },
        code: 503,
      });
      expect((await ask(port, '/own')).body).to.equal('own');
      expect((await ask(port, '/readyz')).body).to.contain('[-]delegate/back failed: reason withheld');
      expect((await ask(port, '/livez')).body).to.equal('ok');
    });
  });

  it('tells when to retry only where nothing can have come of a request', async () => {
    const path = join(directory, 'deaf.sock');
    const sockets = new Set<Socket>();
    const deaf: Server = createServer((socket) => {
      sockets.add(socket);
    }).listen(path);
    const retries = (answers: readonly Answer[]): unknown[] =>
      answers.map(({ body, headers, status }) => [
        status,
        headers['retry-after'],
        (JSON.parse(body) as { readonly details?: unknown }).details,
      ]);
    const withRetry = [503, '1', { retryAfterSeconds: 1 }];
    const without = [503, undefined, undefined];
    await withFront({ address: { kind: 'unix', path }, suspectAfterMs: 200, probeTimeoutMs: 200 }, async (port) => {
      const pod = '/api/v1/namespaces/default/pods/a';
      const sent = ['GET', 'DELETE', 'PUT', 'PATCH', 'POST'].map((method) => ask(port, pod, { method }));
      expect(retries(await Promise.all(sent))).to.deep.equal([withRetry, without, without, without, without]);
      // It is known to be silent now: nothing is sent.
      expect(retries([await ask(port, pod, { method: 'DELETE' })])).to.deep.equal([withRetry]);
    });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => deaf.close(resolve));
    await withFront({ address: { kind: 'unix', path } }, async (port) => {
      expect(retries([await ask(port, '/api/v1/pods', { method: 'POST' })])).to.deep.equal([withRetry]);
    });
  });

  it('gives 503 in bounded time when it accepts connections and says nothing, and recovers when it does', async () => {
    const path = join(directory, 'silent.sock');
    const sockets = new Set<Socket>();
    const silent: Server = createServer((socket) => {
      sockets.add(socket);
    }).listen(path);
    await withFront({ address: { kind: 'unix', path }, suspectAfterMs: 200, probeTimeoutMs: 200 }, async (port) => {
      const startedAt = performance.now();
      const [first, watch] = await Promise.all([ask(port, '/api/v1/pods'), ask(port, '/api/v1/pods?watch=true')]);
      expect([first.status, watch.status]).to.deep.equal([503, 503]);
      expect(performance.now() - startedAt).to.be.lessThan(20_000);
      const [again, ms] = await fastest(() => ask(port, '/api/v1/pods'), 150);
      expect(again.status).to.equal(503);
      expect(ms).to.be.lessThan(150);
      // Its metrics and documents are not waited for either.
      expect((await fastest(() => ask(port, '/metrics'), 1_000))[1]).to.be.lessThan(1_000);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => silent.close(resolve));
      const behind = await runTestServer({ delegateListener: { address: { kind: 'unix', path } } }, { name: 'back' });
      let status = 0;
      for (let i = 0; i < 1_200 && status !== 404; i++) {
        await delay(50);
        ({ status } = await ask(port, '/api/v1/pods'));
      }
      expect(status).to.equal(404);
      await behind.stop();
    });
  });

  it('waits for a silent target while somebody debugs', async () => {
    const path = join(directory, 'debugged.sock');
    const sockets = new Set<Socket>();
    const silent: Server = createServer((socket) => {
      sockets.add(socket);
    }).listen(path);
    await withFront(
      { address: { kind: 'unix', path }, suspectAfterMs: 100, probeTimeoutMs: 100, debugged: () => true },
      async (port) => {
        const first = await Promise.race([ask(port, '/api/v1/pods').catch(() => 'broken'), delay(1_000, 'waiting')]);
        expect(first).to.equal('waiting');
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => silent.close(resolve));
      },
    );
  });

  it('leaves a slow answer of a living target alone', async () => {
    const path = join(directory, 'slow.sock');
    const behind = await runTestServer(
      { delegateListener: { address: { kind: 'unix', path } } },
      {
        name: 'back',
        prepare(server) {
          server.nonResourceMux.handle('/slow', (_request, response) => {
            setTimeout(() => {
              response.end('done');
            }, 700);
          });
        },
      },
    );
    await withFront({ address: { kind: 'unix', path }, suspectAfterMs: 100, probeTimeoutMs: 100 }, async (port) => {
      expect((await ask(port, '/slow')).body).to.equal('done');
    });
    await behind.stop();
  });
});

describe('the hop over TLS', () => {
  it('lets a front proxy in, and nobody else', async () => {
    const behind = await runTestServer(
      {
        delegateListener: {
          address: { kind: 'https', hostname: '127.0.0.1', port: 0 },
          tls: { certFile: servingPEM, keyFile: servingPEM, clientCAFile: proxyCAPEM, allowedNames: ['front-proxy'] },
        },
      },
      { name: 'back' },
    );
    const delegatePort = behind.info.delegatePort ?? 0;
    const pem = readFileSync(frontProxyPEM);
    const material = { ca, cert: pem, key: pem };
    const front = await runTestServer(
      {},
      {
        name: 'front',
        delegate: httpDelegate({
          name: 'back',
          address: { kind: 'https', hostname: 'localhost', port: delegatePort },
          tls: () => material,
        }),
      },
    );
    const answer = await ask(front.info.securePort ?? 0, '/nosuch');
    expect(answer.body).to.equal('404 page not found\n');
    await front.stop();

    const knock = (options: object): Promise<string> =>
      new Promise((resolve) => {
        const socket = connectTLS({ host: '127.0.0.1', port: delegatePort, ca, ...options });
        let text = '';
        socket.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        socket.on('error', () => {
          /* refused */
        });
        socket.on('close', () => {
          resolve(text);
        });
        socket.write(
          'GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Remote-User: admin\r\nX-Remote-Group: ' +
            'system:masters\r\n\r\n',
        );
      });
    expect(await knock({})).to.equal('');
    for (const name of ['alice.pem', 'stranger.pem']) {
      const other = readFileSync(new URL(`../../authentication/x509/fixtures/${name}`, import.meta.url));
      expect(await knock({ cert: other, key: other })).to.equal('');
    }
    expect(await knock({ cert: pem, key: pem })).to.match(/^HTTP\/1\.1 200 OK/);
    await behind.stop();
  });
  it('waits for a target that is slow to shake hands', async () => {
    const behind = await runTestServer(
      {
        delegateListener: {
          address: { kind: 'https', hostname: '127.0.0.1', port: 0 },
          tls: { certFile: servingPEM, keyFile: servingPEM, clientCAFile: proxyCAPEM, allowedNames: ['front-proxy'] },
        },
      },
      { name: 'back' },
    );
    const pem = readFileSync(frontProxyPEM);
    const busy = createServer((socket) => {
      setTimeout(() => {
        const on = connect(behind.info.delegatePort ?? 0, '127.0.0.1');
        socket.on('error', () => on.destroy());
        on.on('error', () => socket.destroy());
        socket.pipe(on).pipe(socket);
      }, 600);
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const front = await runTestServer(
      {},
      {
        name: 'front',
        delegate: httpDelegate({
          name: 'back',
          address: { kind: 'https', hostname: '127.0.0.1', port: (busy.address() as AddressInfo).port },
          tls: () => ({ ca, cert: pem, key: pem, servername: 'localhost' }),
          connectTimeoutMs: 100,
          suspectAfterMs: 200,
          probeTimeoutMs: 60_000,
        }),
      },
    );
    expect((await ask(front.info.securePort ?? 0, '/nosuch')).body).to.equal('404 page not found\n');
    await front.stop();
    busy.close();
    await behind.stop();
  });
  it('uses new certificates for new connections, on both sides', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-hop-'));
    const clientCAFile = join(folder, 'ca.pem');
    const pem = readFileSync(frontProxyPEM);
    const alice = readFileSync(new URL('../../authentication/x509/fixtures/alice.pem', import.meta.url));
    // The authority of users: front proxies of the other one are strangers until the file changes.
    writeFileSync(clientCAFile, ca);
    const behind = await runTestServer(
      {
        delegateListener: {
          address: { kind: 'https', hostname: '127.0.0.1', port: 0 },
          tls: { certFile: servingPEM, keyFile: servingPEM, clientCAFile, allowedNames: [], lookMs: 20 },
        },
      },
      { name: 'back' },
    );
    let material = { ca, cert: pem, key: pem };
    const front = await runTestServer(
      {},
      {
        name: 'front',
        delegate: httpDelegate({
          name: 'back',
          address: { kind: 'https', hostname: 'localhost', port: behind.info.delegatePort ?? 0 },
          tls: () => material,
        }),
      },
    );
    const status = async (): Promise<number> => (await ask(front.info.securePort ?? 0, '/nosuch')).status;
    expect(await status()).to.equal(503);
    material = { ca, cert: alice, key: alice };
    expect(await status()).to.equal(404);
    // The connection that is there stays, and is used.
    writeFileSync(clientCAFile, readFileSync(proxyCAPEM));
    await delay(200);
    expect(await status()).to.equal(404);
    const knock = (certificate: Buffer): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connectTLS({
          host: '127.0.0.1',
          port: behind.info.delegatePort ?? 0,
          ca,
          cert: certificate,
          key: certificate,
        });
        socket.on('data', () => {
          resolve(true);
          socket.destroy();
        });
        socket.on('error', () => {
          /* refused */
        });
        socket.on('close', () => {
          resolve(false);
        });
        socket.write('GET /version HTTP/1.1\r\nHost: x\r\n\r\n');
      });
    for (let tries = 0; tries < 1_000 && (await knock(alice)); tries++) await delay(20);
    expect(await knock(alice)).to.equal(false);
    expect(await knock(pem)).to.equal(true);
    writeFileSync(clientCAFile, 'broken');
    await delay(200);
    expect(await knock(pem)).to.equal(true);
    await front.stop();
    await behind.stop();
    rmSync(folder, { recursive: true });
  });
});

describe('stopping', () => {
  it('fails readyz first, lets short requests finish, ends watches cleanly, and refuses new requests', async () => {
    let finish: (() => void) | undefined;
    let watches = 0;
    const running = await runTestServer(
      { shutdownDelayMs: 1_000 },
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'slow', subresource: '' },
            route('list', (_request, response) => {
              finish = () => {
                response.end('done');
              };
            }),
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'watched', subresource: '' },
            route('watch', (_request, response, context) => {
              response.writeHead(200);
              response.write('event\n');
              context.signal.addEventListener('abort', () => {
                response.end();
              });
              watches++;
            }),
          );
        },
      },
    );
    const port = running.info.securePort ?? 0;
    const slow = ask(port, '/api/v1/slow');
    const watch = ask(port, '/api/v1/watched?watch=true');
    const session = connectH2(port);
    const h2Watch = askH2(session, '/api/v1/watched?watch=true');
    while (finish === undefined || watches < 2) await delay(5);
    running.abort();
    const ready = await ask(port, '/readyz');
    expect(ready.status).to.equal(500);
    expect(ready.body).to.contain('[-]shutdown failed: reason withheld\nreadyz check failed');
    expect((await watch).body).to.equal('event\n');
    expect((await h2Watch).body).to.equal('event\n');
    finish?.();
    expect((await slow).body).to.equal('done');
    await running.stopped;
    const refused = await new Promise((resolve) => {
      connect(port, '127.0.0.1').once('error', (error: NodeJS.ErrnoException) => {
        resolve(error.code);
      });
    });
    expect(refused).to.equal('ECONNREFUSED');
    session.close();
  });

  it('is bounded by the grace period', async () => {
    configureLogging({
      verbosity: 0,
      write() {
        /* it warns about the request that is cut */
      },
    });
    let asked = false;
    const running = await runTestServer(
      { shutdownGraceMs: 200 },
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'stuck', subresource: '' },
            route('list', () => {
              asked = true; /* and never answers */
            }),
          );
        },
      },
    );
    const stuck = ask(running.info.securePort ?? 0, '/api/v1/stuck').catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    while (!asked) await delay(5);
    const startedAt = performance.now();
    await running.stop();
    expect(performance.now() - startedAt).to.be.within(150, 20_000);
    expect(await stuck).to.equal('ECONNRESET');
    configureLogging({ verbosity: 0 });
  });
});

describe('deadlines', () => {
  it('ends a short request with 504 and aborts its signal; what is written later is dropped', async () => {
    let aborted = false;
    const running = await runTestServer(
      { requestTimeoutMs: 5_000 },
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'slow', subresource: '' },
            route('list', async (_request, response, context) => {
              context.signal.addEventListener('abort', () => {
                aborted = true;
              });
              await delay(300);
              response.write('late');
              response.end('later');
            }),
          );
        },
      },
    );
    const { status, body } = await ask(running.info.securePort ?? 0, '/api/v1/slow?timeout=100ms');
    expect(status).to.equal(504);
    expect(body).to.contain(
      '"message":"Timeout: request did not complete within the allotted ' +
        'timeout","reason":"Timeout","details":{},"code":504',
    );
    expect(aborted).to.equal(true);
    await delay(300);
    expect((await ask(running.info.securePort ?? 0, '/version')).status).to.equal(200);
    await running.stop();
  });
});
