import { isStatusError } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { ca, servingPEM } from '../server/spec-support/test-server.ts';
import { ServiceResolutionError } from '../services/resolve-service.ts';
import { WebhookClient, type WebhookTarget } from './webhook-client.ts';

const caBundle = ca.toString('base64');

describe('WebhookClient', () => {
  let server: Server;
  let port = 0;
  const clients: WebhookClient[] = [];

  before((done) => {
    server = createServer({ key: readFileSync(servingPEM), cert: readFileSync(servingPEM) }, (request, response) => {
      const { pathname, search } = new URL(request.url ?? '/', 'https://localhost');
      switch (pathname) {
        case '/silent': return;
        case '/teapot': response.writeHead(418).end('short and stout'); return;
        case '/status': response.writeHead(409).end(JSON.stringify({ kind: 'Status', message: 'clash', reason: 'Conflict' })); return;
        case '/huge': response.end(Buffer.alloc(4 * 1024 * 1024)); return;
        default: response.end(`${request.method ?? ''} ${pathname}${search} ${request.headers['content-type'] ?? ''}`);
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

  const clientOf = (target: WebhookTarget, resolve: () => Promise<string> = () => Promise.reject(new ServiceResolutionError('service "nope" not found'))): WebhookClient => {
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
    expect(await outcome(clientOf({ url: `https://localhost:${port}/ok`, caBundle }))).to.equal('POST /ok?timeout=10s application/json');
  });

  it('finds services, whose certificates are for their names', async () => {
    const client = clientOf({ service: { namespace: 'ns', name: 'hook', path: '/x' }, caBundle }, () => Promise.resolve(`127.0.0.1:${port}`));
    expect(await outcome(client)).to.match(/^Post "https:\/\/hook\.ns\.svc:443\/x\?timeout=10s": tls: failed to verify certificate: x509: certificate is valid for .*, not hook\.ns\.svc$/);
  });

  const failures: readonly (readonly [name: string, target: () => WebhookTarget, text: () => string, timeoutMs?: number])[] = [
    ['a service that is not there', () => ({ service: { namespace: 'ns', name: 'nope', port: 8443 } }), () => 'Post "https://nope.ns.svc:8443/?timeout=10s": service "nope" not found'],
    ['a port where nobody listens', () => ({ url: 'https://127.0.0.1:1/x', caBundle }), () => 'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused'],
    ['a certificate of an unknown authority', () => ({ url: `https://localhost:${port}/ok` }), () => `Post "https://localhost:${port}/ok?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`],
    ['silence', () => ({ url: `https://localhost:${port}/silent`, caBundle }), () => `Post "https://localhost:${port}/silent?timeout=1s": context deadline exceeded`, 50],
    ['too long an answer', () => ({ url: `https://localhost:${port}/huge`, caBundle }), () => `Post "https://localhost:${port}/huge?timeout=10s": http: response body too large`],
    ['another answer than success', () => ({ url: `https://localhost:${port}/teapot`, caBundle }), () => '418 the server rejected our request for an unknown reason'],
    ['a Status', () => ({ url: `https://localhost:${port}/status`, caBundle }), () => '409 clash'],
  ];
  for (const [name, target, text, timeoutMs] of failures) it(`tells of ${name} as Go does`, async () => { expect(await outcome(clientOf(target()), timeoutMs)).to.equal(text()); });
});
