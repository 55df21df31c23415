import { isStatusError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fixtureAuthority, servingPEM } from '../server/testing/test-server.ts';
import { ServiceResolutionError } from '../services/resolve-service.ts';
import { WebhookClient, type WebhookTarget } from './webhook-client.ts';

const ca = fixtureAuthority();

const caBundle = ca.toString('base64');

describe('WebhookClient', () => {
  let server: Server;
  let port = 0;
  let busy = 2;
  const together: ServerResponse[] = [];
  const clients: WebhookClient[] = [];

  before((done) => {
    server = createServer({ key: readFileSync(servingPEM), cert: readFileSync(servingPEM) }, (request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
      switch (pathname) {
        case '/silent':
          return;
        case '/together':
          together.push(response);
          if (together.length === 60) for (const each of together) each.end('all');
          return;
        case '/teapot':
          response.writeHead(418).end('short and stout');
          return;
        case '/status':
          response
            .writeHead(409)
            .end(JSON.stringify({ kind: 'Status', status: 'Failure', message: 'clash', reason: 'Conflict' }));
          return;
        case '/odd-status':
          response.writeHead(409).end(JSON.stringify({ kind: 'Status', message: 'clash', reason: 'Conflict' }));
          return;
        case '/broken-json':
          response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"secret":');
          return;
        case '/broken-text':
          response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end(' oops "now"\n');
          return;
        case '/invalid':
          response.writeHead(422).end();
          return;
        case '/moved':
          response.writeHead(301, { Location: '/ok?moved' }).end();
          return;
        case '/elsewhere':
          response.writeHead(307, { Location: '/ok?elsewhere' }).end();
          return;
        case '/circle':
          response.writeHead(308, { Location: '/circle' }).end();
          return;
        case '/trace': {
          const { baggage, traceparent, tracestate } = request.headers;
          response.end(JSON.stringify([traceparent, tracestate, baggage]));
          return;
        }
        case '/empty':
          response.writeHead(204).end();
          return;
        case '/cut':
          response.writeHead(200, { 'Content-Length': '100' });
          response.write('{');
          setImmediate(() => {
            request.socket.destroy();
          });
          return;
        case '/busy':
          if (busy-- > 0) response.writeHead(429, { 'Retry-After': '0' }).end();
          else response.end('at last');
          return;
        case '/busy-for-long':
          response.writeHead(429, { 'Retry-After': '3000000' }).end();
          return;
        case '/always-busy':
          response.writeHead(503, { 'Retry-After': '0' }).end();
          return;
        case '/huge':
          response.end(Buffer.alloc(33 * 1024 * 1024));
          return;
        default:
          response.end(`${request.method ?? ''} ${pathname}${search} ${request.headers['content-type'] ?? ''}`);
      }
    });
    server.listen(0, '127.0.0.1', () => {
      ({ port } = server.address() as AddressInfo);
      done();
    });
  });
  after((done) => {
    for (const client of clients) client.close();
    server.closeAllConnections();
    server.close(done);
  });

  const clientOf = (
    target: WebhookTarget,
    resolve: () => Promise<string> = () => Promise.reject(new ServiceResolutionError('service "nope" not found')),
  ): WebhookClient => {
    const client = new WebhookClient(target, { services: { resolve } });
    clients.push(client);
    return client;
  };
  const outcome = async (client: WebhookClient, timeoutMs = 10_000): Promise<string> => {
    try {
      return (await client.post('{}', { timeoutMs })).toString();
    } catch (error) {
      return `${isStatusError(error) ? `${error.code} ` : ''}${(error as Error).message}`;
    }
  };

  it('posts JSON and says how long it waits', async () => {
    expect(await outcome(clientOf({ url: `https://localhost:${port}/ok`, caBundle }))).to.equal(
      'POST /ok?timeout=10s application/json',
    );
  });

  it('says no more than what is left of the time of the request that it asks for', async () => {
    const client = clientOf({ url: `https://localhost:${port}/ok`, caBundle });
    const told = async (remainingMs: number): Promise<string> =>
      (await client.post('{}', { timeoutMs: 10_000, remainingMs })).toString();
    expect(await told(7_100)).to.equal('POST /ok?timeout=8s application/json');
    expect(await told(Infinity)).to.equal('POST /ok?timeout=10s application/json');
    expect(await told(-5)).to.equal('POST /ok?timeout=1s application/json');
  });

  it('tells of the trace that the request it asks for belongs to, and of none otherwise', async () => {
    const client = clientOf({ url: `https://localhost:${port}/trace`, caBundle });
    const trace = { Traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', Tracestate: 'a=1' };
    expect((await client.post('{}', { timeoutMs: 10_000, trace })).toString()).to.equal(
      JSON.stringify([trace.Traceparent, 'a=1', null]),
    );
    expect(await outcome(client)).to.equal('[null,null,null]');
  });

  it('waits for no other call', async () => {
    const client = clientOf({ url: `https://localhost:${port}/together`, caBundle });
    const outcomes = await Promise.all(Array.from({ length: 60 }, () => outcome(client, 60_000)));
    expect(new Set(outcomes)).to.deep.equal(new Set(['all']));
  });

  it('goes where it is sent, with the body only where that is said', async () => {
    expect(await outcome(clientOf({ url: `https://localhost:${port}/moved`, caBundle }))).to.equal('GET /ok?moved ');
    expect(await outcome(clientOf({ url: `https://localhost:${port}/elsewhere`, caBundle }))).to.equal(
      'POST /ok?elsewhere application/json',
    );
    expect(await outcome(clientOf({ url: `https://localhost:${port}/circle`, caBundle }))).to.equal(
      `Post "https://localhost:${port}/circle": stopped after 10 redirects`,
    );
  });

  it('asks again when it is told to', async () => {
    expect(await outcome(clientOf({ url: `https://localhost:${port}/busy`, caBundle }))).to.equal('at last');
    expect(await outcome(clientOf({ url: `https://localhost:${port}/always-busy`, caBundle }))).to.equal(
      '503 the server is currently unable to handle the request',
    );
  });

  it('does not ask again before it is told to, however long that is', async () => {
    const client = clientOf({ url: `https://localhost:${port}/busy-for-long`, caBundle });
    expect(await outcome(client, 200)).to.match(/busy-for-long\?timeout=1s": context deadline exceeded$/);
  });

  it('finds services, whose certificates are for their names', async () => {
    const client = clientOf({ service: { namespace: 'ns', name: 'hook', path: '/x' }, caBundle }, () =>
      Promise.resolve(`127.0.0.1:${port}`),
    );
    expect(await outcome(client)).to.match(
      /^Post "https:\/\/hook\.ns\.svc:443\/x\?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for .*, not hook\.ns\.svc$/,
    );
  });

  const failures: readonly (readonly [
    name: string,
    target: () => WebhookTarget,
    text: () => string,
    timeoutMs?: number,
  ])[] = [
    [
      'a service that is not there',
      () => ({ service: { namespace: 'ns', name: 'nope', port: 8443 } }),
      () => 'Post "https://nope.ns.svc:8443/?timeout=10s": service "nope" not found',
    ],
    [
      'a port where nobody listens',
      () => ({ url: 'https://127.0.0.1:1/x', caBundle }),
      () => 'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    ],
    [
      'a certificate of an unknown authority',
      () => ({ url: `https://localhost:${port}/ok` }),
      () =>
        `Post "https://localhost:${port}/ok?timeout=10s": tls: failed to verify certificate: x509: ` +
        'certificate signed by unknown authority',
    ],
    [
      'silence',
      () => ({ url: `https://localhost:${port}/silent`, caBundle }),
      () => `Post "https://localhost:${port}/silent?timeout=1s": context deadline exceeded`,
      50,
    ],
    [
      'too long an answer (webhookAnswer)',
      () => ({ url: `https://localhost:${port}/huge`, caBundle }),
      () => `Post "https://localhost:${port}/huge?timeout=10s": http: response body too large`,
    ],
    [
      'another answer than success',
      () => ({ url: `https://localhost:${port}/teapot`, caBundle }),
      () => '418 the server responded with the status code 418 but did not return more information',
    ],
    [
      'a Status that says no failure',
      () => ({ url: `https://localhost:${port}/odd-status`, caBundle }),
      () => '409 the server reported a conflict',
    ],
    [
      'an error with text',
      () => ({ url: `https://localhost:${port}/broken-text`, caBundle }),
      () => '500 an error on the server ("oops \\"now\\"") has prevented the request from succeeding',
    ],
    [
      'an error that is no text',
      () => ({ url: `https://localhost:${port}/broken-json`, caBundle }),
      () => '500 an error on the server ("unknown") has prevented the request from succeeding',
    ],
    [
      'an error that has words of its own',
      () => ({ url: `https://localhost:${port}/invalid`, caBundle }),
      () => '422 the server rejected our request due to an error in our request',
    ],
    [
      'an empty answer',
      () => ({ url: `https://localhost:${port}/empty`, caBundle }),
      () => '0-length response with status code: 204 and content type: application/json',
    ],
    [
      'half an answer',
      () => ({ url: `https://localhost:${port}/cut`, caBundle }),
      () => 'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
    ],
    ['a Status', () => ({ url: `https://localhost:${port}/status`, caBundle }), () => '409 clash'],
  ];
  for (const [name, target, text, timeoutMs] of failures)
    it(`tells of ${name} as Go does`, async () => {
      expect(await outcome(clientOf(target()), timeoutMs)).to.equal(text());
    });
});
