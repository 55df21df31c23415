import { once } from 'node:events';
import type { IncomingHttpHeaders, Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { TurnQueue } from '@kubechain/apiserver/proxies';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { askRemote } from './ask-remote.ts';
import { legacyDiscoveryUser } from './remote-identity.ts';
import { RemoteService } from './remote-service.ts';

describe('askRemote', () => {
  const asked: IncomingHttpHeaders[] = [];
  let server: Server;
  let remote: RemoteService;
  let address = '';
  let endless = false;
  before(async () => {
    server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
      asked.push(request.headers);
      switch (request.url) {
        case '/packed':
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"packed":true}'));
          return;
        case '/bomb':
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 << 20)));
          return;
        case '/lists':
          response.writeHead(200).end('['.repeat(2_000_000));
          return;
        case '/endless': {
          const more = (): void => {
            while (!response.destroyed) {
              if (response.write('x'.repeat(1 << 14))) continue;
              response.once('drain', more);
              return;
            }
          };
          response.on('close', () => (endless = false));
          endless = true;
          response.writeHead(200);
          more();
          return;
        }
        case '/slow':
          setTimeout(() => response.writeHead(200).end('{}'), 100);
          return;
        case '/broken':
          response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed');
          return;
        default:
          response.writeHead(404).end('plain');
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    remote = new RemoteService(
      {
        metadata: { name: 'v1.example.com' },
        spec: {
          group: 'example.com',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { namespace: 'n', name: 's', port: 443 },
          insecureSkipTLSVerify: true,
        },
      },
      { resolve: () => address, clientCertificate: undefined },
    );
  });
  beforeEach(() => {
    asked.length = 0;
  });
  after(async () => {
    remote.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  it('begins questions that come at once one in a turn of the loop', async () => {
    const service = {
      metadata: { name: 'v1.many.example.com' },
      spec: { ...remote.spec, group: 'many.example.com' },
    };
    const asking = new RemoteService(service, {
      resolve: () => address,
      clientCertificate: undefined,
      turns: new TurnQueue({ sums: true }),
    });
    const { agent } = asking;
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
      await Promise.all(
        Array.from({ length: 30 }, () => askRemote(asking, { address, path: '/slow', timeoutMs: 5_000 })),
      );
      // Some find a connection that is there.
      expect(turns).to.not.have.length(0);
      expect(new Set(turns).size).to.equal(turns.length);
    } finally {
      over = true;
      asking.close();
    }
  });

  it('connects to nobody for a question that was given up before its turn', async () => {
    const asking = new RemoteService(
      { metadata: { name: 'v1.given-up.example.com' }, spec: { ...remote.spec, group: 'given-up.example.com' } },
      { resolve: () => address, clientCertificate: undefined, turns: new TurnQueue() },
    );
    const { agent } = asking;
    const connect = agent.createConnection.bind(agent);
    let connections = 0;
    agent.createConnection = (...args) => {
      connections++;
      return connect(...args);
    };
    try {
      const givenUp = new AbortController();
      const question = { address, path: '/slow', timeoutMs: 5_000, signal: givenUp.signal };
      const answer = askRemote(asking, question).catch((error: unknown) => error);
      givenUp.abort();
      expect(await answer).to.have.property('name', 'RemoteAskError');
      expect(connections).to.equal(0);
    } finally {
      asking.close();
    }
  });

  it('reads no more of a document than extensionDocument says, packed or not', async () => {
    let reason = '';
    await askRemote(remote, { address, path: '/bomb', timeoutMs: 30_000 }).catch((error: unknown) => {
      reason = String(error);
    });
    expect(reason).to.contain('the document is too large');
  });

  it('reads no more values of a document than extensionValues says', async () => {
    let reason = '';
    await askRemote(remote, { address, path: '/lists', timeoutMs: 30_000 }).catch((error: unknown) => {
      reason = String(error);
    });
    expect(reason).to.contain('the document has too many values');
  });

  it('is content with a status, whatever comes behind it', async () => {
    const answer = await askRemote(remote, { address, path: '/endless', statusOnly: true, timeoutMs: 5_000 });
    expect(answer).to.include({ status: 200, body: '' });
    while (endless) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it('unpacks what it has asked to have packed', async () => {
    expect(await askRemote(remote, { address, path: '/packed', timeoutMs: 5_000 })).to.include({
      status: 200,
      body: '{"packed":true}',
    });
    expect(await askRemote(remote, { address, path: '/plain', timeoutMs: 5_000 })).to.include({
      status: 404,
      body: 'plain',
    });
  });

  it('fails for what cannot be unpacked', async () => {
    const failure = await askRemote(remote, { address, path: '/broken', timeoutMs: 5_000 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('name', 'RemoteAskError');
  });

  it('asks as the reference does, through its proxy and beside it', async () => {
    await askRemote(remote, { address, path: '/apis', headers: { accept: 'application/json' }, timeoutMs: 5_000 });
    await askRemote(remote, { address, path: '/apis', user: legacyDiscoveryUser, proxied: false, timeoutMs: 5_000 });
    const [proxied, direct] = asked.map(({ connection: _connection, ...headers }) => headers);
    expect(proxied).to.deep.equal({
      host: address,
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'x-forwarded-host': address,
      'x-forwarded-proto': 'https',
      'x-forwarded-uri': '/apis',
      'x-remote-user': 'system:kube-aggregator',
      'x-remote-group': 'system:masters',
    });
    expect(direct).to.deep.equal({
      host: address,
      'accept-encoding': 'gzip',
      'user-agent': 'Go-http-client/1.1',
      'x-remote-user': 'system:kube-aggregator',
    });
  });
});
