import { systemClock } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceHandler } from '../endpoints/route.ts';
import { HeapGauge } from '../watchdog/heap-gauge.ts';
import { configureLogging } from '../logging/logger.ts';
import { ask, runTestServer, type RunningTestServer } from '../server/testing/test-server.ts';
import type { Config } from '../server/completed-config.ts';

describe('filters', () => {
  let running: RunningTestServer | undefined;
  afterEach(async () => {
    configureLogging({ verbosity: 0 });
    await running?.stop();
    running = undefined;
  });

  async function serve(config: Config, handler: ResourceHandler): Promise<number> {
    running = await runTestServer(config, {
      prepare(server) {
        server.routes.set(
          { group: '', version: 'v1', resource: 'things', subresource: '' },
          {
            namespaced: false,
            handlers: new Map([
              ['list', handler],
              ['watch', handler],
              ['create', handler],
            ]),
          },
        );
      },
    });
    return running.info.securePort ?? 0;
  }
  const everybody: Config = { authorizer: { authorize: () => ({ decision: 'Allow', reason: '' }) } };

  it('refuse what would be stored while there is no room for it, but for those who make room', async () => {
    const heap = new HeapGauge({ clock: systemClock });
    heap.tellBehind(true);
    const handler: ResourceHandler = (_request, response) => {
      response.end('{}');
    };
    const port = await serve({ ...everybody, heap }, handler);
    const asked = async (method: string, token: string): Promise<readonly [number, string]> => {
      const { body, status } = await ask(port, '/api/v1/things', { method, token });
      return [status, body];
    };
    const [status, text] = await asked('POST', 'alice');
    expect(status).to.equal(507);
    expect(JSON.parse(text)).to.include({ kind: 'Status', code: 507 });
    expect(text).to.include('the server has no memory for more objects');
    expect(await asked('GET', 'alice')).to.deep.equal([200, '{}']);
    expect(await asked('POST', 'admin')).to.deep.equal([200, '{}']);
    heap.tellBehind(false);
    expect(await asked('POST', 'alice')).to.deep.equal([200, '{}']);
  });

  it('send clients of a stopping server elsewhere until the last request is answered', async () => {
    let finish: (() => void) | undefined;
    const port = await serve({ ...everybody, shutdownSendRetryAfter: true }, (_request, response) => {
      finish = () => {
        response.end('{}');
      };
    });
    const first = ask(port, '/api/v1/things');
    while (finish === undefined) await delay(5);
    const stopped = running?.stop();
    running = undefined;
    let refused = await ask(port, '/version');
    while (refused.status === 200) refused = await ask(port, '/version');
    expect([refused.status, refused.body, refused.headers['retry-after'], refused.headers['connection']]).to.deep.equal(
      [429, 'The apiserver is shutting down, please try again later.\n', '5', 'close'],
    );
    expect((await ask(port, '/livez')).status).to.equal(200);
    finish();
    expect((await first).status).to.equal(200);
    await stopped;
  });

  it(
    'refuse with 429 what is too much at once, by reads and writes; ' + 'watches and system:masters are never refused',
    async () => {
      const finish: (() => void)[] = [];
      const port = await serve({ ...everybody, maxInFlight: { readOnly: 1, mutating: 1 } }, (_request, response) => {
        finish.push(() => {
          response.end('{}');
        });
      });
      const first = ask(port, '/api/v1/things', { token: 'alice' });
      while (finish.length < 1) await delay(5);
      const refused = await ask(port, '/api/v1/things', { token: 'alice' });
      expect([refused.status, refused.body, refused.headers['retry-after']]).to.deep.equal([
        429,
        'Too many requests, please try again later.\n',
        '1',
      ]);
      const others = [
        ask(port, '/api/v1/things', { token: 'alice', method: 'POST' }),
        ask(port, '/api/v1/things?watch=1', { token: 'alice' }),
        ask(port, '/api/v1/things'),
      ];
      while (finish.length < 4) await delay(5);
      for (const end of finish) end();
      expect((await Promise.all([first, ...others])).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
      finish.length = 0;
      const again = ask(port, '/api/v1/things', { token: 'alice' });
      while (finish.length < 1) await delay(5);
      finish[0]?.();
      expect((await again).status).to.equal(200);
    },
  );

  it('send each warning once, quoted, and shorten them when there are too many', async () => {
    const port = await serve({}, (_request, response, context) => {
      context.addWarning('say "hi" é');
      context.addWarning('say "hi" é');
      context.addWarning('line\nbreak');
      if (context.query.has('many')) for (let i = 0; i < 20; i++) context.addWarning(`${i}${'x'.repeat(400)}`);
      response.end();
    });
    expect((await ask(port, '/api/v1/things')).headers['warning']).to.equal(
      `299 - "say \\"hi\\" ${Buffer.from('é').toString('latin1')}"`,
    );
    const many = (await ask(port, '/api/v1/things?many')).headers['warning'] as string;
    expect(many.length).to.be.lessThan(5_500);
    expect(many).to.match(/299 - "0x{255}"/);
  });

  it('answer browsers of allowed origins, and nobody else', async () => {
    const port = await serve({ corsAllowedOrigins: [/\/\/example\.com$/] }, (_request, response) => {
      response.end();
    });
    expect(
      (await ask(port, '/api/v1/things', { headers: { origin: 'https://example.com' } })).headers[
        'access-control-allow-origin'
      ],
    ).to.equal('https://example.com');
    expect(
      (await ask(port, '/api/v1/things', { headers: { origin: 'https://evil.com' } })).headers[
        'access-control-allow-origin'
      ],
    ).to.equal(undefined);
    expect(
      (await ask(port, '/api/v1/things', { method: 'OPTIONS', token: '', headers: { origin: 'https://example.com' } }))
        .status,
    ).to.equal(204);
  });

  it('wait for asynchronous authenticators, authorizers and flow control, and survive their failures', async () => {
    const lines: string[] = [];
    configureLogging({
      verbosity: 0,
      write: (line) => {
        lines.push(line);
      },
    });
    let released = 0;
    const port = await serve(
      {
        authenticator: {
          async authenticate(request) {
            await delay(1);
            if (request.headers['x-fail'] === 'authentication') throw new TypeError('no authentication');
            return { user: { name: 'a', groups: [] } };
          },
        },
        authorizer: {
          async authorize({ verb }) {
            await delay(1);
            if (verb === 'watch') throw new TypeError('no authorization');
            return { decision: verb === 'list' ? 'Allow' : 'NoOpinion', reason: 'because' };
          },
        },
        flowController: {
          async admit(context) {
            await delay(1);
            if (context.query.has('flow')) throw new TypeError('no flow');
            return {
              kind: 'run',
              ticket: {
                release() {
                  released++;
                },
              },
              classification: { flowSchemaUID: 'fs', priorityLevelUID: 'pl' },
            };
          },
        },
      },
      (_request, response) => {
        response.end('ok');
      },
    );
    const answer = await ask(port, '/api/v1/things');
    expect([
      answer.status,
      answer.headers['x-kubernetes-pf-flowschema-uid'],
      answer.headers['x-kubernetes-pf-prioritylevel-uid'],
    ]).to.deep.equal([200, 'fs', 'pl']);
    expect((await ask(port, '/api/v1/things', { headers: { 'x-fail': 'authentication' } })).status).to.equal(401);
    expect((await ask(port, '/api/v1/things?watch=1')).status).to.equal(500);
    expect((await ask(port, '/api/v1/things', { method: 'POST' })).body).to.contain(
      'cannot create resource \\"things\\" in API group \\"\\" at the cluster scope: because',
    );
    const panicked = await ask(port, '/api/v1/things?flow');
    expect([panicked.status, panicked.body]).to.deep.equal([
      500,
      'This request caused apiserver to panic. Look in the logs for details.\n',
    ]);
    expect(released).to.equal(3);
    expect(lines.join('')).to.contain('no authentication').and.to.contain('no authorization').and.to.contain('no flow');
  });

  it('log each request with its audit id at -v=3', async () => {
    const lines: string[] = [];
    configureLogging({
      verbosity: 3,
      write: (line) => {
        lines.push(line);
      },
    });
    const port = await serve({}, (_request, response) => {
      response.end();
    });
    await ask(port, '/api/v1/things', { headers: { 'audit-id': 'abc' } });
    while (!lines.some((line) => line.includes('httplog'))) await delay(5);
    expect(lines.find((line) => line.includes('httplog'))).to.match(
      /^I\d{4} [\d:.]+ +\d+ httplog\] "HTTP" verb="list" URI="\/api\/v1\/things" latency="[\d.]+ms" userAgent="" audit-ID="abc" srcIP="127\.0\.0\.1:\d+" user="admin" resp=200\n$/,
    );
  });
});
