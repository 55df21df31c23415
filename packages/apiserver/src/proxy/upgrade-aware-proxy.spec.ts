import { isStatusError, limits } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RequestContext } from '../request/request-context.ts';
import { internalContext } from '../registry/rest/internal-context.ts';
import type { Backend } from './backend.ts';
import { getFromBackend } from './get-from-backend.ts';
import { proxyToBackend, proxyUpgradeOnly } from './upgrade-aware-proxy.ts';

/** Path of the proxied resource of these specs. */
const root = '/api/v1/namespaces/n/pods/p/proxy';

describe('the proxy to pods, nodes and services', () => {
  let proxy: Server;
  let backend: Server;
  let backendPort = 0;
  let proxyPort = 0;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let overrides: Partial<Backend>;
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; body: string };

  const contextOf = (request: IncomingMessage): RequestContext => {
    const { request: context } = internalContext({ groupResource: { group: '', resource: 'pods' } });
    return {
      ...context,
      requestInfo: { ...context.requestInfo, path: decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '') },
    };
  };
  const backendOf = (request: IncomingMessage): Backend => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    return {
      scheme: 'http',
      host: `127.0.0.1:${backendPort}`,
      tls: {},
      path: decodeURIComponent(path).slice(root.length),
      query,
      upgradeCounts: () => ({
        ended: ({ kind }, { uri }) => {
          ends.push([kind, uri ?? '']);
        },
      }),
      ...overrides,
    };
  };
  /** Reasons and paths of upgrades that have ended. */
  let ends: [reason: string, path: string][];
  const untilEnded = async (): Promise<string[]> => {
    while (ends.length === 0) await new Promise(setImmediate);
    return ends.map(([reason]) => reason);
  };

  before(async () => {
    backend = createServer((request, response) => {
      let body = '';
      request
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          body += chunk;
        })
        .on('end', () => {
          seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
          answer(request, response);
        });
    });
    backend.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      seen = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: '' };
      if (request.headers.upgrade === 'none') {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      if (request.headers.upgrade === 'refused') {
        socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
        return;
      }
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.write(head);
      if (request.headers.upgrade === 'reset') socket.resetAndDestroy();
      else if (request.headers.upgrade === 'short') socket.end();
      else socket.pipe(socket);
    });
    proxy = createServer((request, response) => {
      const context = contextOf(request);
      const proxied =
        overrides.path === 'upgrades only'
          ? proxyUpgradeOnly(context, { kind: 'request', request, response }, backendOf(request))
          : proxyToBackend(context, { kind: 'request', request, response }, backendOf(request));
      proxied.catch((error: unknown) => {
        response
          .writeHead(isStatusError(error) ? (error.status.code ?? 0) : 500)
          .end(error instanceof Error ? error.message : '');
      });
    });
    proxy.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      proxyToBackend(
        contextOf(request),
        {
          kind: 'upgrade',
          request,
          socket,
          head,
          response: () => {
            throw new TypeError('not asked for');
          },
        },
        backendOf(request),
      ).catch((error: unknown) => {
        socket.end(`HTTP/1.1 500 ${error instanceof Error ? error.message : ''}\r\n\r\n`);
      });
    });
    await Promise.all([backend, proxy].map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
    backendPort = (backend.address() as AddressInfo).port;
    proxyPort = (proxy.address() as AddressInfo).port;
  });
  beforeEach(() => {
    overrides = {};
    ends = [];
    answer = (_request, response) => {
      response.end('ok');
    };
  });
  after(async () => {
    await Promise.all(
      [backend, proxy].map(
        (server) =>
          new Promise((resolve) => {
            server.close(resolve).closeAllConnections();
          }),
      ),
    );
  });

  interface Answered {
    readonly status: number;
    readonly headers: IncomingHttpHeaders;
    readonly body: Buffer;
  }
  const ask = (
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
    }: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
  ): Promise<Answered> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port: proxyPort,
          path,
          method,
          headers: { host: 'localhost:8001', ...headers },
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => {
              chunks.push(chunk);
            })
            .on('end', () => {
              resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
            });
        },
      );
      outgoing.on('error', reject).end(body);
    });

  it('carries method, path, query and body, and the Host that the client asked for', async () => {
    const { status, body } = await ask(`${root}/a%20b/?x=%2F&y`, {
      method: 'PUT',
      headers: { 'content-type': 'text/x' },
      body: 'hello',
    });
    expect([status, body.toString()]).to.deep.equal([200, 'ok']);
    expect(seen).to.include({ method: 'PUT', url: '/a%20b/?x=%2F&y', body: 'hello' });
    expect(seen.headers).to.include({
      host: 'localhost:8001',
      'content-type': 'text/x',
      'content-length': '5',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-uri': `${root}/a%20b/`,
    });
  });

  it('says nothing of the user', async () => {
    await ask(`${root}/`, {
      headers: {
        authorization: 'Bearer x',
        'x-remote-user': 'u',
        'x-remote-extra-a': 'b',
        'impersonate-user': 'i',
        'x-kubechain-identity': 'x',
        'audit-id': 'a',
        'x-own': 'stays',
      },
    });
    expect(Object.keys(seen.headers)).to.have.members([
      'host',
      'x-own',
      'x-forwarded-for',
      'x-forwarded-uri',
      'accept-encoding',
      'connection',
    ]);
  });

  it('leads a request without a path to the root', async () => {
    const { status, headers } = await ask(`${root}?a=b`);
    expect([status, headers.location]).to.deep.equal([301, `${root}/?a=b`]);
    await ask(root, { method: 'POST', body: 'x' });
    expect(seen.url).to.equal('/');
  });

  it('leads redirects and the links of pages through itself, and lets no CORS headers through', async () => {
    answer = (_request, response) => {
      response.writeHead(302, { location: '/login', 'access-control-allow-origin': '*' }).end();
    };
    const moved = await ask(`${root}/x`);
    expect([moved.status, moved.headers.location, moved.headers['access-control-allow-origin']]).to.deep.equal([
      302,
      `${root}/login`,
      undefined,
    ]);
    const page = '<a href="/y">/y</a>';
    answer = (request, response) => {
      const packed = request.headers['accept-encoding'] === 'gzip';
      response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          ...(packed ? { 'content-encoding': 'gzip' } : {}),
        })
        .end(packed ? gzipSync(page) : page);
    };
    const expected = `<a href="${root}/y">/y</a>`;
    const plain = await ask(`${root}/x`);
    expect([plain.headers['content-encoding'], plain.body.toString()]).to.deep.equal([undefined, expected]);
    const packed = await ask(`${root}/x`, { headers: { 'accept-encoding': 'gzip' } });
    expect([packed.headers['content-encoding'], gunzipSync(packed.body).toString()]).to.deep.equal(['gzip', expected]);
  });

  it('leaves the links of a page beyond proxiedPage as they are, whatever length it tells', async () => {
    const link = '<a href="/y">/y</a>';
    const blanks = limits.proxiedPage.value - link.length;
    for (const [size, href] of [
      [blanks, `${root}/y`],
      [blanks + 1, '/y'],
    ] as const)
      for (const [how, write] of [
        ['whole', (response, page) => response.end(page)],
        [
          'in chunks',
          (response, page) => {
            response.write(page.slice(0, 100));
            response.end(page.slice(100));
          },
        ],
        ['packed', (response, page) => response.setHeader('content-encoding', 'gzip').end(gzipSync(page))],
      ] as const satisfies readonly (readonly [string, (response: ServerResponse, page: string) => void])[]) {
        answer = (_request, response) => {
          response.setHeader('content-type', 'text/html');
          write(response, link + ' '.repeat(size));
        };
        const { body } = await ask(`${root}/x`);
        expect(body.toString().trimEnd(), `${how} ${size}`).to.equal(`<a href="${href}">/y</a>`);
        expect(body.length, how).to.equal(size + `<a href="${href}">/y</a>`.length);
      }
  });

  it("says in the reference's words that nobody is there", async () => {
    overrides = { host: '127.0.0.1:1' };
    const { status, body } = await ask(`${root}/x`);
    expect([status, body.toString()]).to.deep.equal([
      503,
      'error trying to reach service: dial tcp 127.0.0.1:1: connect: connection refused',
    ]);
  });

  it('refuses ordinary requests where only an upgrade makes sense', async () => {
    overrides = { path: 'upgrades only' };
    const { status, body } = await ask(`${root}/x`, { method: 'POST' });
    expect([status, body.toString()]).to.deep.equal([400, 'Upgrade request required']);
  });

  const upgrade = async (protocol: string, then = ''): Promise<string> => {
    const socket = connect(proxyPort, '127.0.0.1');
    socket.write(
      `POST ${root}/exec?a=b HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\nX-Own: ` +
        `stays\r\n\r\n${then}`,
    );
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('bye')) socket.end();
    });
    await once(socket, 'close');
    return text;
  };

  it('makes upgrades connections from end to end', async () => {
    expect(await upgrade('echo', 'bye')).to.equal(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nbye',
    );
    expect(seen).to.include({ method: 'POST', url: '/exec?a=b' });
    expect(seen.headers).to.include({ 'x-own': 'stays', host: 'h', upgrade: 'echo', 'x-forwarded-for': '127.0.0.1' });
  });

  it('sends a refusal on, and refuses what is none', async () => {
    expect(await upgrade('refused')).to.equal('HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno');
    expect(await upgrade('none')).to.equal('HTTP/1.1 500 invalid upgrade response: status code 200\r\n\r\n');
    overrides = { host: '127.0.0.1:1' };
    expect(await upgrade('echo')).to.equal(
      'HTTP/1.1 500 error dialing backend: dial tcp 127.0.0.1:1: connect: connection refused\r\n\r\n',
    );
  });

  describe('tells the end of an upgrade once', () => {
    const rows: readonly (readonly [what: string, reason: string, end: () => Promise<unknown>])[] = [
      ['that the client has left', 'client_left', () => upgrade('echo', 'bye')],
      ['that the backend has closed', 'completed', () => upgrade('short')],
      ['that the backend has died', 'broken', () => upgrade('reset')],
      ['that the backend has refused it', 'refused', () => upgrade('refused')],
      ['that the backend has answered something else', 'refused', () => upgrade('none')],
      [
        'that nobody is there',
        'unreachable',
        () => {
          overrides = { host: '127.0.0.1:1' };
          return upgrade('echo');
        },
      ],
    ];
    for (const [what, reason, end] of rows)
      it(what, async () => {
        await end();
        expect(await untilEnded()).to.deep.equal([reason]);
        expect(ends[0]?.[1]).to.equal(`${root}/exec`);
      });
  });

  describe("a request on this server's own account", () => {
    const get = async (path: string): Promise<string> => {
      try {
        const response = await getFromBackend(
          { scheme: 'http', host: `127.0.0.1:${backendPort}`, tls: {}, path, query: 'a=b', ...overrides },
          new AbortController().signal,
        );
        return (await response.setEncoding('utf8').toArray()).join('');
      } catch (error) {
        return String(error);
      }
    };

    it('gets an answer, follows no redirect, and says what failed', async () => {
      expect(await get('/logs/x')).to.equal('ok');
      expect(seen.url).to.equal('/logs/x?a=b');
      answer = (_request, response) => {
        response.writeHead(302, { location: '/elsewhere' }).end();
      };
      expect(await get('/x')).to.equal(`ProxyError: Get "http://127.0.0.1:${backendPort}/x?a=b": redirects forbidden`);
      overrides = { host: '127.0.0.1:1' };
      expect(await get('/x')).to.equal(
        'ProxyError: Get "http://127.0.0.1:1/x?a=b": dial tcp 127.0.0.1:1: connect: connection refused',
      );
    });
  });
});
