import { FakeClock } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import type { ClientHttp2Session } from 'node:http2';
import { connect } from 'node:tls';
import type { ResourceHandler } from '../endpoints/route.ts';
import { configureLogging } from '../logging/logger.ts';
import { HeapGauge } from '../watchdog/heap-gauge.ts';
import type { DelegationTarget } from './delegation-target.ts';
import { emptyDelegate } from './delegation/empty-delegate.ts';
import { refuseFilteredUpgrade } from './upgrades.ts';
import {
  fixtureAuthority,
  ask,
  askH2,
  connectH2,
  runTestServer,
  type Answer,
  type AskOptions,
  type RunningTestServer,
} from './testing/test-server.ts';

const echo: ResourceHandler = (request, response, context) => {
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
  });
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.writeHead(200);
    response.end(
      JSON.stringify({
        verb: context.requestInfo.verb,
        name: context.requestInfo.name,
        user: context.user.name,
        length,
        authorization: request.headers.authorization,
      }),
    );
  });
};

describe('GenericAPIServer', () => {
  let running: RunningTestServer;
  let session: ClientHttp2Session;
  const logged: string[] = [];

  before(async () => {
    configureLogging({
      verbosity: 0,
      write: (line) => {
        logged.push(line);
      },
    });
    running = await runTestServer(
      {},
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'pods', subresource: '' },
            {
              namespaced: true,
              handlers: new Map([
                ['get', echo],
                ['list', echo],
                ['watch', echo],
                ['create', echo],
                ['update', echo],
              ]),
            },
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'pods', subresource: 'proxy' },
            {
              namespaced: true,
              acceptsSubpath: true,
              methods: new Set(['GET', 'HEAD']),
              handlers: new Map([
                ['get', echo],
                ['update', echo],
              ]),
            },
          );
          server.routes.set(
            { group: 'own.example.com', version: 'v1', resource: 'things', subresource: '' },
            {
              namespaced: true,
              custom: true,
              handlers: new Map([['get', echo]]),
            },
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'namespaces', subresource: '' },
            { namespaced: false, handlers: new Map([['get', echo]]) },
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'broken', subresource: '' },
            {
              namespaced: false,
              handlers: new Map<string, ResourceHandler>([
                [
                  'list',
                  () => {
                    throw new TypeError('sync bug');
                  },
                ],
                [
                  'get',
                  async () => {
                    await Promise.resolve();
                    throw new TypeError('async bug');
                  },
                ],
              ]),
            },
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'unmade', subresource: '' },
            {
              namespaced: false,
              get handlers(): never {
                throw new TypeError('cannot be made');
              },
            },
          );
          server.routes.set(
            { group: '', version: 'v1', resource: 'reviews', subresource: '' },
            { namespaced: false, handlers: new Map([['create', echo]]) },
          );
          server.director.claim('');
          server.nonResourceMux.handle(
            '/api/v1',
            (_request, response) => {
              response.end('discovery');
            },
            { trailingSlash: true },
          );
          server.nonResourceMux.mount(['/express/'], (app) => {
            app.get('/express/:name', (request, response) => {
              response
                .set('X-Host', request.get('user-agent') ?? '')
                .json({ name: request.params.name, secure: request.secure });
            });
            app.get('/express/broken/at-once', () => {
              throw new TypeError('sync bug');
            });
            app.get('/express/broken/later', async () => {
              await Promise.resolve();
              throw new TypeError('async bug');
            });
          });
          server.addPostStartHook('warm-up', () => {
            /* at once */
          });
          server.addHealthChecks([
            {
              name: 'etcd',
              group: 'storage',
              check() {
                /* well */
              },
            },
          ]);
        },
      },
    );
    session = connectH2(running.info.securePort ?? 0);
  });
  after(async () => {
    session.close();
    await running.stop();
    configureLogging({ verbosity: 0 });
  });

  it('answers a request for a tunnel as any other, and ends its connection', async () => {
    const told = async (target: string): Promise<string> => {
      const socket = connect({ host: '127.0.0.1', port: running.info.securePort ?? 0, ca: fixtureAuthority() });
      socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer admin\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      return text;
    };
    expect(await told('10.0.0.1:443')).to.match(/^HTTP\/1.1 404 Not Found\r\n[^]*\r\n\r\n404 page not found\n$/);
    expect(await told('/api/v1/pods')).to.match(/^HTTP\/1.1 405 Method Not Allowed\r\n[^]*"reason":"MethodNotAllowed"/);
  });

  it('refuses a path with a broken escape, and resets its stream over HTTP/2', async () => {
    const refused = await ask(running.info.securePort ?? 0, '/api/v1/namespaces/%zz');
    expect([refused.status, refused.body]).to.deep.equal([400, '400 Bad Request']);
    const stream = session.request({ ':path': '/api/v1/namespaces/%zz' });
    const ended = new Promise<unknown>((resolve) => {
      stream.on('error', resolve);
    });
    stream.resume();
    expect(String(await ended)).to.include('NGHTTP2_PROTOCOL_ERROR');
  });

  for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const) {
    describe(`over ${protocol}`, () => {
      const get = (path: string, options: AskOptions = {}): Promise<Answer> =>
        protocol === 'HTTP/2' ? askH2(session, path, options) : ask(running.info.securePort ?? 0, path, options);

      it('answers /version in indented JSON, with and without a slash', async () => {
        const answer = await get('/version');
        expect(answer.status).to.equal(200);
        expect(answer.headers['content-type']).to.equal('application/json');
        expect(JSON.parse(answer.body)).to.include({ major: '1', minor: '36', minCompatibilityMinor: '35' });
        expect(answer.body.startsWith('{\n  "major": "1",\n')).to.equal(true);
        expect((await get('/version/')).status).to.equal(200);
        expect((await get('/version///')).status).to.equal(200);
        expect((await get('/version//x')).status).to.equal(404);
      });

      it('answers a request whose time is over at once', async () => {
        const answer = await get('/api/v1/namespaces/a/pods/p?timeout=1ns');
        expect(answer.status).to.equal(504);
        expect(answer.body).to.include('request did not complete within the allotted timeout');
      });

      it('tells with metrics when the process began', async () => {
        for (const path of ['/metrics', '/metrics/slis'])
          expect((await get(path)).headers['process-start-time-unix']).to.match(/^1\d{9}$/);
      });

      it('sends a resource request to its handler, with the user and without the credential', async () => {
        const answer = await get('/api/v1/namespaces/a/pods/p');
        expect(JSON.parse(answer.body)).to.deep.equal({ verb: 'get', name: 'p', user: 'admin', length: 0 });
        expect(answer.headers['cache-control']).to.equal('no-cache, private');
        expect(answer.headers['audit-id']).to.match(/^[0-9a-f-]{36}$/);
      });

      it('streams request bodies', async () => {
        const answer = await get('/api/v1/namespaces/a/pods', { method: 'POST', body: Buffer.alloc(1_000_000) });
        expect(JSON.parse(answer.body)).to.include({ verb: 'create', length: 1_000_000 });
      });

      it('echoes the Audit-ID as it came', async () => {
        const id = 'x'.repeat(100);
        expect((await get('/version', { headers: { 'audit-id': id } })).headers['audit-id']).to.equal(id);
      });

      const statuses: readonly (readonly [
        name: string,
        path: string,
        options: AskOptions,
        status: number,
        body: string,
      ])[] = [
        [
          'unknown resource of an own group',
          '/api/v1/nosuch',
          {},
          404,
          '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server could ' +
            'not find the requested resource","reason":"NotFound","details":{},"code":404}',
        ],
        [
          'a named object of what can only be posted',
          '/api/v1/reviews/x',
          { method: 'PATCH' },
          404,
          'could not find the requested resource',
        ],
        ['another method on what can only be posted', '/api/v1/reviews', {}, 405, 'does not allow this method'],
        [
          'the same, of one by its name',
          '/api/v1/reviews?fieldSelector=metadata.name%3Dx',
          {},
          405,
          'does not allow this method',
        ],
        [
          'an unacceptable version',
          '/version',
          { headers: { accept: 'text/html' } },
          406,
          'Available representations: application/json',
        ],
        ['below the version', '/version/x', {}, 404, '"message":"the server could not find the requested resource"'],
        [
          'a namespace below another',
          '/api/v1/namespaces/a/namespaces/b',
          {},
          404,
          'could not find the requested resource',
        ],
        [
          'a namespace below itself',
          '/api/v1/namespaces/a/namespaces/a',
          {},
          404,
          'could not find the requested resource',
        ],
        ['a watch path of what cannot be watched', '/api/v1/watch/reviews', {}, 404, 'could not find the requested'],
        ['an old proxy path', '/api/v1/proxy/namespaces/a/pods/p', {}, 404, 'could not find the requested resource'],
        [
          'unknown version of an own group',
          '/api/v2',
          {},
          404,
          '"message":"the server could not find the requested resource"',
        ],
        ['unknown group', '/apis/nosuch/v1/things', {}, 404, '404 page not found\n'],
        ['unknown path', '/nonsense', {}, 404, '404 page not found\n'],
        ['a namespaced object without namespace', '/api/v1/pods/p', {}, 404, 'could not find the requested resource'],
        [
          'a path below a subresource',
          '/api/v1/namespaces/a/pods/p/status/more',
          {},
          404,
          'could not find the requested resource',
        ],
        ['doubled slash at the start', '//api/v1/namespaces/a/pods/p', {}, 404, '404 page not found\n'],
        ['doubled slash inside', '/api/v1/namespaces/a//pods/p', {}, 404, 'could not find the requested resource'],
        [
          'missing verb',
          '/api/v1/namespaces/a/pods/p',
          { method: 'DELETE' },
          405,
          '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"the server does not ' +
            'allow this method on the requested resource","reason":"MethodNotAllowed","details":{},"code":405}',
        ],
        ['update of a collection', '/api/v1/namespaces/a/pods', { method: 'PUT' }, 405, 'does not allow this method'],
        [
          'OPTIONS of a watch',
          '/api/v1/watch/namespaces/a/pods',
          { method: 'OPTIONS' },
          405,
          'does not allow this method',
        ],
        [
          'a method that a subresource is not connected to by',
          '/api/v1/namespaces/a/pods/p/proxy',
          { method: 'PUT' },
          405,
          'does not allow this method',
        ],
        ['create across namespaces', '/api/v1/pods', { method: 'POST' }, 405, 'does not allow this method'],
        [
          'bad timeout',
          '/version?timeout=5',
          {},
          400,
          '"message":"invalid timeout specified in the request URL - time: missing unit in duration \\"5\\""',
        ],
        [
          'no credential',
          '/version',
          { token: '' },
          403,
          '"message":"forbidden: User \\"system:anonymous\\" cannot get path \\"/version\\""',
        ],
        [
          'bad credential',
          '/version',
          { token: 'bad' },
          401,
          '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",' +
            '"reason":"Unauthorized","code":401}',
        ],
        [
          'forbidden resource',
          '/api/v1/namespaces/a/pods/p',
          { token: 'alice' },
          403,
          '"message":"pods \\"p\\" is forbidden: User \\"alice\\" cannot get resource \\"pods\\" in API group ' +
            '\\"\\" in the namespace \\"a\\""',
        ],
        ['a handler that throws', '/api/v1/broken', {}, 500, '"message":"sync bug"'],
        ['an Express route that throws', '/express/broken/at-once', {}, 500, 'This request caused apiserver to panic'],
        ['an Express route that rejects', '/express/broken/later', {}, 500, 'This request caused apiserver to panic'],
        ['a route that cannot be made', '/api/v1/unmade', {}, 500, '"message":"cannot be made"'],
        ['a handler that rejects', '/api/v1/broken/x', {}, 500, '"message":"async bug"'],
        [
          'impersonation without a user',
          '/version',
          { headers: { 'impersonate-group': 'g' } },
          400,
          'without impersonating a user name',
        ],
      ];
      for (const [name, path, options, status, body] of statuses) {
        it(`answers ${status}: ${name}`, async () => {
          const answer = await get(path, options);
          expect(answer.body).to.contain(body);
          expect(answer.status).to.equal(status);
        });
      }

      it('serves subpaths where a route takes them, own documents, and Express middleware', async () => {
        expect((await get('/api/v1/namespaces/a/pods/p/proxy/x/y')).status).to.equal(200);
        expect((await get('/api/v1/')).body).to.equal('discovery');
        const answer = await get('/express/anything', { headers: { 'user-agent': 'spec' } });
        expect(JSON.parse(answer.body)).to.deep.equal({ name: 'anything', secure: true });
        expect(answer.headers).to.include({ 'x-host': 'spec' }).and.not.to.have.any.keys('x-powered-by', 'etag');
        expect((await get('/express/unknown/path')).status).to.equal(404);
      });

      it('acts as somebody else for who may, and asks the authorizer about the rest as that user', async () => {
        const answer = await get('/version', { headers: { 'impersonate-user': 'alice' } });
        expect(answer.status).to.equal(403);
        expect(answer.body).to.contain('User \\"alice\\" cannot get path');
        const masters = await get('/api/v1/namespaces/a/pods/p', {
          headers: { 'impersonate-user': 'bob', 'impersonate-group': 'system:masters' },
        });
        expect(JSON.parse(masters.body)).to.include({ user: 'bob' });
        expect((await get('/version', { token: 'alice', headers: { 'impersonate-user': 'admin' } })).body).to.contain(
          'User \\"alice\\" cannot impersonate',
        );
      });

      it("reports health in the reference's words", async () => {
        expect((await get('/readyz')).body).to.equal('ok');
        const verbose = await get('/readyz?verbose');
        expect(verbose.body).to.equal(
          '[+]ping ok\n[+]log ok\n[+]etcd ok\n[+]informer-sync ' +
            'ok\n[+]poststarthook/start-apiserver-admission-initializer ' +
            'ok\n[+]poststarthook/generic-apiserver-start-informers ' +
            'ok\n[+]poststarthook/storage-object-count-tracker-hook ok\n[+]poststarthook/warm-up ' +
            'ok\n[+]shutdown ok\nreadyz check passed\n',
        );
        expect(verbose.headers['content-type']).to.equal('text/plain; charset=utf-8');
        expect(verbose.headers['x-content-type-options']).to.equal('nosniff');
        expect((await get('/livez?verbose&exclude=storage&exclude=nosuch')).body).to.equal(
          '[+]ping ok\n[+]log ok\n[+]loopback-serving-certificate ok\n[+]etcd excluded with storage: ' +
            'ok\n[+]poststarthook/start-apiserver-admission-initializer ' +
            'ok\n[+]poststarthook/generic-apiserver-start-informers ' +
            'ok\n[+]poststarthook/storage-object-count-tracker-hook ok\n[+]poststarthook/warm-up ok\nwarn: some ' +
            'health checks cannot be excluded: no matches for "nosuch"\nlivez check passed\n',
        );
        expect((await get('/livez/poststarthook/warm-up')).body).to.equal('ok');
        expect((await get('/livez/shutdown')).status).to.equal(404);
        expect((await get('/healthz/')).status).to.equal(404);
      });

      it('shows status and flags as text, and as objects to who names their kind', async () => {
        const text = await get('/statusz', { headers: { accept: 'text/plain' } });
        expect([text.status, text.headers['content-type']]).to.deep.equal([200, 'text/plain; charset=utf-8']);
        expect(text.body).to.contain('Emulation version: 1.36\n').and.to.contain('/readyz');
        expect((await get('/flagz', { headers: { accept: 'application/json' } })).body).to.contain(
          '"message":"only the following media types are accepted: application/json, application/yaml, ' +
            'text/plain","reason":"NotAcceptable","code":406',
        );
        const object = await get('/statusz', {
          headers: { accept: 'application/json;as=Statusz;v=v1beta1;g=config.k8s.io' },
        });
        expect(JSON.parse(object.body)).to.deep.include({
          kind: 'Statusz',
          apiVersion: 'config.k8s.io/v1beta1',
          emulationVersion: '1.36',
        });
      });

      it('lists paths at /', async () => {
        const { paths } = JSON.parse((await get('/')).body) as { paths: string[] };
        expect(paths).to.include.members([
          '/healthz',
          '/healthz/etcd',
          '/livez/ping',
          '/metrics',
          '/metrics/slis',
          '/readyz/shutdown',
          '/version',
        ]);
        expect(paths).to.deep.equal([...paths].sort());
      });

      it('takes HEAD for a read of custom resources and proxies only, as the reference', async () => {
        for (const [path, status] of [
          ['/api/v1/namespaces/a/pods/p', 405],
          ['/api/v1/namespaces/a/pods', 405],
          ['/api/v1/namespaces/a/pods/p/proxy', 200],
          ['/apis/own.example.com/v1/namespaces/a/things/t', 200],
        ] as const) {
          expect((await get(path, { method: 'HEAD' })).status, path).to.equal(status);
        }
      });

      it('answers HEAD without a body', async () => {
        const answer = await get('/nonsense', { method: 'HEAD' });
        expect([answer.status, answer.body]).to.deep.equal([404, '']);
      });
    });
  }

  it('logs what handlers threw, and why a credential was refused', async () => {
    await ask(running.info.securePort ?? 0, '/api/v1/broken/x');
    expect((await ask(running.info.securePort ?? 0, '/version', { token: 'bad' })).headers).not.to.have.property(
      'x-content-type-options',
    );
    expect(logged.join(''))
      .to.contain('TypeError: async bug')
      .and.to.contain('"Unable to authenticate the request" err="bad token"');
  });

  it("counts requests under the reference's metric names", async () => {
    const port = running.info.securePort ?? 0;
    await ask(port, '/api/v1/namespaces/a/pods');
    const { body, headers } = await ask(port, '/metrics');
    expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    expect(body).to.match(
      /apiserver_request_total\{code="200",component="apiserver",group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1",dry_run=""\} \d+/,
    );
    expect(body)
      .to.contain('apiserver_request_duration_seconds_bucket{')
      .and.to.contain('authentication_attempts{result="success"}');
    expect(body).not.to.contain('nosuch');
  });

  it('shows nothing but what became of health checks as service level indicators', async () => {
    const port = running.info.securePort ?? 0;
    await ask(port, '/livez?exclude=log');
    const { body } = await ask(port, '/metrics/slis');
    expect(body)
      .to.contain('kubernetes_healthcheck{name="ping",type="livez"} 1\n')
      .and.to.match(/^kubernetes_healthchecks_total\{name="ping",status="success",type="livez"\} \d+$/m)
      .and.to.match(/^process_start_time_seconds \d+/m)
      .and.not.to.contain('name="log",type="livez"')
      .and.not.to.contain('apiserver_');
  });

  it('refuses upgrades behind its filters with the headers that they have set', async () => {
    const refusing: DelegationTarget = {
      ...emptyDelegate(),
      handleUpgrade(request, socket) {
        refuseFilteredUpgrade(request, socket, { code: 503, text: 'not today' });
      },
    };
    const front = await runTestServer({}, { delegate: refusing });
    try {
      const { status, headers, body } = await ask(front.info.securePort ?? 0, '/apis/x.example.com/v1/things', {
        headers: { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
      });
      expect([status, body, headers['content-type'], headers['x-content-type-options']]).to.deep.equal([
        503,
        'not today\n',
        'text/plain; charset=utf-8',
        'nosniff',
      ]);
      expect(headers['audit-id']).to.be.a('string');
      expect(headers['cache-control']).to.equal('no-cache, private');
    } finally {
      await front.stop();
    }
  });
});

describe('a server that shares the gauge of its heap', () => {
  it('is told no more once it has stopped', async () => {
    const heap = new HeapGauge({ clock: new FakeClock() });
    const told: boolean[] = [];
    const running = await runTestServer(
      { heap },
      {
        prepare(server) {
          server.discoveryFeed.tellFull = (full) => told.push(full);
        },
      },
    );
    heap.tellBehind(true);
    await running.stop();
    heap.tellBehind(false);
    expect(told).to.deep.equal([true]);
  });
});
