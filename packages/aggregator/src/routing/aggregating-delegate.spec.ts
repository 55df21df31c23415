import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect as connectHTTP2, createServer as createHTTP2Server } from 'node:http2';
import { createServer as createTLSServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ServiceResolutionError, parseRequestInfo, setRequestContext } from '@kubechain/apiserver/proxies';
import type { DelegationTarget } from '@kubechain/apiserver/servers';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import type { APIService } from '../apiservice/api-service.ts';
import { RemoteService } from '../remote/remote-service.ts';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { RemoteTerminations } from '../remote/remote-terminations.ts';
import { aggregatingDelegate } from './aggregating-delegate.ts';

const path = '/apis/example.com/v1';
const next = {
  name: 'next',
  handle(_request: IncomingMessage, response: ServerResponse) {
    response.end('local');
  },
  handleUpgrade() {
    /* not asked */
  },
  async healthCheck() {
    /* well */
  },
  async close() {
    /* nothing is open */
  },
} satisfies DelegationTarget;

const apiService = (available: boolean, spec: Partial<APIService['spec']> = {}): APIService => ({
  metadata: { name: 'v1.example.com' },
  spec: {
    group: 'example.com',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
    service: { namespace: 'n', name: 's', port: 443 },
    insecureSkipTLSVerify: true,
    ...spec,
  },
  status: { conditions: [{ type: 'Available', status: available ? 'True' : 'False' }] },
});

/** The extension API server: keeps what it was asked. */
class Backend {
  readonly received: IncomingMessage[] = [];
  readonly server: Server = createTLSServer(
    { key: tlsFixture.serverKey, cert: tlsFixture.serverCert },
    (request, response) => {
      this.received.push(request);
      switch (request.url?.split('?', 1)[0]?.slice(path.length)) {
        case '/redirect':
          response.writeHead(302, { location: 'https://elsewhere/' }).end();
          return;
        case '/abort':
          request.socket.destroy();
          return;
        case '/followed':
          response.writeHead(200).flushHeaders();
          return;
        case '/zipped':
          response
            .writeHead(200, { 'content-encoding': 'gzip', 'cache-control': 'max-age=60' })
            .end(gzipSync('unpacked'));
          return;
        case '/annotated':
          if (request.method === 'HEAD') {
            request.socket.end('HTTP/1.1 200 OK\r\nTrailer: x-checked\r\nTransfer-Encoding: chunked\r\n\r\n');
            return;
          }
          response.setHeader('warning', ['299 - "first"', '299 - "second"']);
          response.writeHead(200, { trailer: 'x-checked' });
          response.write('body');
          response.addTrailers({ 'x-checked': 'yes' });
          response.end();
          return;
        case '/switching':
          request.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
          return;
        case '/misled':
          request.socket.end('HTTP/1.1 302 Found\r\nLocation: https://[::1\r\nContent-Length: 0\r\n\r\n');
          return;
        case '/garbled':
          request.socket.end('HTTP/1.1 200 OK\r\nX-A: a\x01b\r\nContent-Length: 0\r\n\r\n');
          return;
        case '/unhttp':
          request.socket.end('hello there\r\n\r\n');
          return;
        case '/overlong':
          request.socket.end('HTTP/1.1 413 X\r\nContent-Length: 4\r\n\r\nfour and more');
          return;
        case '/twice':
          request.socket.end(
            'HTTP/1.1 200 OK\nContent-Length: 1\nTransfer-Encoding: chunked\n\n4\r\nbody\r\n0\r\n\r\n',
          );
          return;
        case '/large-head':
          response.writeHead(200, { 'x-large': 'h'.repeat(60_000) }).end();
          return;
        case '/slow':
          setTimeout(() => {
            response.end('late');
          }, 120);
          return;
        default:
          request.pipe(response.writeHead(201, { 'x-seen': 'yes' }));
      }
    },
  );
  constructor() {
    this.server.on('upgrade', (request: IncomingMessage, socket) => {
      this.received.push(request);
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
      socket.pipe(socket);
    });
  }
}

describe('the way to extension API servers', () => {
  const routes = new Map<string, RemoteService>();
  const metrics = new MetricRegistry();
  const delegate = aggregatingDelegate(next, routes, { terminations: new RemoteTerminations(metrics) });
  let current = delegate;
  /** How many exchanges of a kind have ended so. */
  const ended = (exchange: string, reason: string): number =>
    Number(
      metrics
        .samples('aggregator_extension_server_terminations_total')
        .find(({ labels }) => labels?.['exchange'] === exchange && labels['reason'] === reason)?.value ?? 0,
    );
  /** Resolves when one more has. */
  const oneMore = async (exchange: string, reason: string, what: () => Promise<unknown>): Promise<void> => {
    const before = ended(exchange, reason);
    await what();
    while (ended(exchange, reason) === before) await new Promise(setImmediate);
    expect(ended(exchange, reason)).to.equal(before + 1);
  };
  let backend: Backend;
  let front: Server;
  let port: number;
  let address: string;
  let context: (request: IncomingMessage) => void;
  const timings: (readonly [phase: string, ms: number])[] = [];

  before(async () => {
    backend = new Backend();
    front = createServer();
    context = (request: IncomingMessage): void => {
      const [pathname = '', search = ''] = (request.url ?? '').split('?');
      const query = new URLSearchParams(search);
      const ignore = (): void => undefined;
      setRequestContext(request, {
        requestInfo: parseRequestInfo(request.method ?? 'GET', pathname, () => query),
        query,
        user: { name: 'alice', groups: ['devs', 'system:authenticated'], extra: { scope: ['all'] } },
        auditID: 'audit-1',
        receivedAtMs: 0,
        deadlineMs: Infinity,
        signal: new AbortController().signal,
        addWarning: ignore,
        addAuditAnnotation: ignore,
        timingWanted: request.headers['x-kubechain-server-timing'] !== undefined,
        addTiming: (phase, ms) => {
          timings.push([phase, ms]);
        },
      });
    };
    front.on('request', (request: IncomingMessage, response: ServerResponse) => {
      context(request);
      response.setHeader('cache-control', 'no-cache');
      if (request.url?.endsWith('/annotated') === true) response.setHeader('warning', '299 - "ours"');
      current.handle(request, response);
    });
    front.on('upgrade', (request: IncomingMessage, socket, head: Buffer) => {
      context(request);
      delegate.handleUpgrade(request, socket, head);
    });
    backend.server.listen(0, '127.0.0.1');
    front.listen(0, '127.0.0.1');
    await Promise.all([once(backend.server, 'listening'), once(front, 'listening')]);
    port = (front.address() as AddressInfo).port;
  });
  beforeEach(() => {
    address = `127.0.0.1:${(backend.server.address() as AddressInfo).port}`;
    backend.received.length = 0;
    use(apiService(true));
  });
  after(async () => {
    for (const remote of routes.values()) remote.close();
    await delegate.close();
    for (const server of [front, backend.server]) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  });

  function use(service: APIService): void {
    routes.get(path)?.close();
    routes.set(path, new RemoteService(service, { resolve: () => address, clientCertificate: undefined }));
  }
  function ask(
    url: string,
    options: {
      readonly method?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    } = {},
  ): Promise<{
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: string;
    readonly trailers: NodeJS.Dict<string>;
  }> {
    return new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port,
          path: url,
          method: options.method ?? 'GET',
          headers: options.headers ?? {},
          agent: false,
          maxHeaderSize: 1 << 20,
        },
        (response) => {
          let body = '';
          response
            .setEncoding('utf8')
            .on('data', (chunk: string) => {
              body += chunk;
            })
            .on('end', () => {
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body,
                trailers: response.trailers,
              });
            })
            .on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(options.body);
    });
  }

  it('begins requests that come at once one in a turn of the loop', async () => {
    const count = 30;
    const come: (readonly [IncomingMessage, ServerResponse])[] = [];
    current = {
      ...delegate,
      handle: (request, response) => {
        come.push([request, response]);
        if (come.length === count) for (const [each, answer] of come) delegate.handle(each, answer);
      },
    };
    const { agent } = routes.get(path) as RemoteService;
    const connect = agent.createConnection.bind(agent);
    const turns: number[] = [];
    let turn = 0;
    let over = false;
    const around = (): void => {
      turn++;
      if (!over) setImmediate(around);
    };
    agent.createConnection = (...args) => {
      turns.push(turn);
      return connect(...args);
    };
    try {
      around();
      await Promise.all(Array.from({ length: count }, () => ask(`${path}/slow`)));
      // Some find a connection that is there.
      expect(turns).to.not.have.length(0);
      expect(new Set(turns).size).to.equal(turns.length);
    } finally {
      over = true;
      current = delegate;
    }
  });

  it('leaves other group versions to the chain', async () => {
    for (const url of ['/apis/example.com/v11/things', '/apis/example.com', '/apis', '/api/v1/pods'])
      expect((await ask(url)).body).to.equal('local');
  });
  it('carries bodies both ways', async () => {
    const { status, headers, body } = await ask(`${path}/things?b=1&a=2`, { method: 'POST', body: '{"a":1}' });
    expect([status, headers['x-seen'], body, backend.received[0]?.url]).to.deep.equal([
      201,
      'yes',
      '{"a":1}',
      `${path}/things?a=2&b=1`,
    ]);
  });
  for (const extra of [{}, { expect: '100-continue' }, { connection: 'x-remote-user, x-custom' }] as const) {
    it(`says who the user is, whatever the client says (${JSON.stringify(extra)})`, async () => {
      await ask(`${path}/things`, {
        headers: {
          'x-remote-user': 'evil',
          'x-remote-group': 'system:masters',
          'x-remote-uid': '0',
          'x-remote-extra-a': 'b',
          'impersonate-user': 'evil',
          authorization: 'Bearer secret',
          ...extra,
        },
      });
      const { headers } = backend.received[0] as IncomingMessage;
      expect(headers['x-remote-user']).to.equal('alice');
      expect(headers['x-remote-group']).to.equal('devs, system:authenticated');
      expect(headers['x-remote-extra-scope']).to.equal('all');
      for (const name of ['x-remote-uid', 'x-remote-extra-a', 'authorization', 'impersonate-user'])
        expect(headers[name], name).to.equal(undefined);
      expect([headers['audit-id'], headers['x-forwarded-host'], headers['x-forwarded-uri']]).to.deep.equal([
        'audit-1',
        address,
        `${path}/things`,
      ]);
    });
  }
  it('ends bodies of unknown length, whatever the method', async () => {
    for (const method of ['GET', 'OPTIONS', 'POST']) {
      expect(
        (await ask(`${path}/things`, { method, headers: { 'transfer-encoding': 'chunked' }, body: 'body' })).body,
        method,
      ).to.equal('body');
    }
    await ask(`${path}/things`, { method: 'DELETE' });
    expect(backend.received.at(-1)?.headers['content-length']).to.equal(undefined);
  });
  it('survives answers that are no HTTP, and says what is wrong with them', async () => {
    const broken = 'error trying to reach service: net/http: HTTP/1.x transport connection broken:';
    expect(await answer(`${path}/switching`)).to.deep.equal([
      503,
      'backend tried to switch protocol "other" when "" was requested\n',
    ]);
    expect(await answer(`${path}/misled`)).to.deep.equal([
      503,
      'Internal error occurred: error trying to parse Location header: parse "https://[::1": missing \']\' in host\n',
    ]);
    expect(await answer(`${path}/garbled`)).to.deep.equal([
      503,
      `${broken} malformed MIME header line: "X-A: a\\x01b"\n`,
    ]);
    expect(await answer(`${path}/unhttp`)).to.deep.equal([503, `${broken} malformed HTTP status code "there"\n`]);
  });
  it('takes what Go would take', async () => {
    expect(await answer(`${path}/overlong`)).to.deep.equal([413, 'four']);
    const { headers, body } = await ask(`${path}/twice`);
    expect([body, headers['content-length']]).to.deep.equal(['body', undefined]);
    expect((await ask(`${path}/large-head`)).headers['x-large']).to.have.length(60_000);
  });
  it("carries a DELETE's body of unknown length", async () => {
    expect(
      (
        await ask(`${path}/things/a`, {
          method: 'DELETE',
          headers: { 'transfer-encoding': 'chunked' },
          body: '{"kind":"DeleteOptions"}',
        })
      ).body,
    ).to.equal('{"kind":"DeleteOptions"}');
  });
  it('serves HTTP/2', async () => {
    const server = createHTTP2Server((request, response) => {
      const incoming = request as unknown as IncomingMessage;
      context(incoming);
      delegate.handle(incoming, response as unknown as ServerResponse);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connectHTTP2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const method of ['POST', 'DELETE']) {
      const stream = session.request(
        { ':method': method, ':path': `${path}/things`, 'x-remote-user': 'evil' },
        { endStream: false },
      );
      stream.end(method);
      let body = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      await once(stream, 'end');
      expect(body).to.equal(method);
      expect([backend.received.at(-1)?.method, backend.received.at(-1)?.headers['x-remote-user']]).to.deep.equal([
        method,
        'alice',
      ]);
    }
    session.close();
    server.close();
    await once(server, 'close');
  });
  it('unpacks what the client did not ask to have packed, and sends headers beside its own', async () => {
    const { headers, body } = await ask(`${path}/zipped`);
    expect([body, headers['content-encoding'], headers['cache-control']]).to.deep.equal([
      'unpacked',
      undefined,
      'no-cache, max-age=60',
    ]);
  });
  it('sends the head of a watch before its first event', async () => {
    const outgoing = httpRequest({ host: '127.0.0.1', port, path: `${path}/followed`, agent: false });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(200);
    const gone = once((backend.received[0] as IncomingMessage).socket, 'close');
    outgoing.destroy();
    await gone;
  });
  it('sends warnings beside its own, and trailers after the body', async () => {
    const { headers, body, trailers } = await ask(`${path}/annotated`, { headers: { te: 'trailers' } });
    expect([body, headers['warning'], headers['trailer'], trailers]).to.deep.equal([
      'body',
      '299 - "ours", 299 - "first", 299 - "second"',
      'x-checked',
      { 'x-checked': 'yes' },
    ]);
    expect(backend.received[0]?.headers['te']).to.equal('trailers');
  });
  it('sends no trailers where there is no body', async () => {
    expect((await ask(`${path}/annotated`, { method: 'HEAD' })).status).to.equal(200);
  });
  it('measures the wait for the server, for those who want to know, and keeps that from the server', async () => {
    timings.length = 0;
    await ask(`${path}/slow`);
    expect(timings).to.deep.equal([]);
    await ask(`${path}/slow`, { headers: { 'x-kubechain-server-timing': '1' } });
    expect(timings.map(([phase]) => phase)).to.deep.equal(['proxy']);
    expect(timings[0]?.[1]).to.be.within(100, 5_000);
    expect(backend.received.at(-1)?.headers['x-kubechain-server-timing']).to.equal(undefined);
  });
  it('says where a request came from, after what its client says', async () => {
    await ask(`${path}/things?x=1`, {
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'forged',
        'x-forwarded-uri': '/forged',
      },
    });
    const { headers } = backend.received[0] as IncomingMessage;
    expect(['for', 'proto', 'host', 'uri'].map((name) => headers[`x-forwarded-${name}`])).to.deep.equal([
      '192.0.2.1, 127.0.0.1',
      'https',
      address,
      `${path}/things`,
    ]);
  });
  it('forwards no redirects', async () => {
    const { status, body } = await ask(`${path}/redirect`);
    expect([status, body]).to.deep.equal([
      502,
      'the backend attempted to redirect this request, which is not permitted',
    ]);
  });
  it('forwards redirects where that is wanted', async () => {
    const lenient = aggregatingDelegate(next, routes, { rejectRedirects: false });
    current = lenient;
    const { status, headers } = await ask(`${path}/redirect`);
    current = delegate;
    await lenient.close();
    expect([status, headers.location]).to.deep.equal([302, 'https://elsewhere/']);
  });
  it('says what failed', async () => {
    expect(await answer(`${path}/abort`)).to.deep.equal([503, 'error trying to reach service: EOF\n']);
    address = '127.0.0.1:1';
    expect(await answer(`${path}/things`)).to.deep.equal([
      503,
      'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused\n',
    ]);
  });
  it('refuses while unavailable, unresolved or not to be trusted', async () => {
    use(apiService(false));
    expect(await answer(`${path}/things`)).to.deep.equal([503, 'service unavailable\n']);
    routes.set(
      path,
      new RemoteService(apiService(true), {
        resolve: () => {
          throw new ServiceResolutionError('none');
        },
        clientCertificate: undefined,
      }),
    );
    expect(await answer(`${path}/things`)).to.deep.equal([503, 'service unavailable\n']);
    use(apiService(true, { insecureSkipTLSVerify: false, caBundle: 'Z2FyYmFnZQ==' }));
    expect((await answer(`${path}/things`))[0]).to.equal(500);
    use(apiService(true, { insecureSkipTLSVerify: false, caBundle: Buffer.from(tlsFixture.ca).toString('base64') }));
    expect(await answer(`${path}/things`)).to.deep.equal([
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate is valid for ' +
        'localhost, not s.n.svc\n',
    ]);
    use(apiService(true, { insecureSkipTLSVerify: false }));
    expect(await answer(`${path}/things`)).to.deep.equal([
      503,
      'error trying to reach service: tls: failed to verify certificate: x509: certificate signed by unknown ' +
        'authority\n',
    ]);
    expect(backend.received).to.deep.equal([]);
  });
  it('hands SPDY upgrades over', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `GET ${path}/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Remote-User: ` +
        `evil\r\n\r\nearly`,
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    while (!text.endsWith('early')) await once(socket, 'data');
    socket.write(' late');
    while (!text.endsWith('early late')) await once(socket, 'data');
    expect(text).to.match(/^HTTP\/1\.1 101 /);
    expect(backend.received[0]?.headers['x-remote-user']).to.equal('alice');
    socket.destroy();
    await once(socket, 'close');
  });

  describe('tells why what it carried has ended:', () => {
    it('a whole answer', () => oneMore('request', 'completed', () => ask(`${path}/things`)));
    it('a server that is not there', () => {
      address = '127.0.0.1:1';
      return oneMore('request', 'unreachable', () => ask(`${path}/things`));
    });
    it('an answer that cannot be handed on', () => oneMore('request', 'broken', () => ask(`${path}/misled`)));
    it('a redirect', () => oneMore('request', 'refused', () => ask(`${path}/redirect`)));
    it('a watch whose client has left', () =>
      oneMore('stream', 'client_left', async () => {
        const watch = httpRequest({ host: '127.0.0.1', port, path: `${path}/followed?watch=1`, agent: false }).end();
        await once(watch, 'response');
        watch.on('error', () => undefined).destroy();
      }));
    it('an upgrade whose client has left', () =>
      oneMore('upgrade', 'client_left', async () => {
        const socket = connect(port, '127.0.0.1');
        socket.write(`GET ${path}/exec HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n`);
        await once(socket, 'data');
        socket.destroy();
      }));
  });

  async function answer(url: string): Promise<readonly [number, string]> {
    const { status, body } = await ask(url);
    return [status, body];
  }
});
