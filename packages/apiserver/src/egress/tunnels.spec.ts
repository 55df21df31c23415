import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, Agent, createServer as createHTTPS } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { NotingSpan } from '@kubechain/shared-storage/testing';
import { withSpan } from '@kubechain/shared-storage/tracing';
import { fixtureAuthority, servingPEM } from '../server/testing/test-server.ts';
import type { Dial } from './dial.ts';
import { EgressSelector } from './egress-selector.ts';
import { ConnectProxy } from './testing/connect-proxy.ts';
import { KonnectivityServer } from './testing/konnectivity-server.ts';
import { agentThrough } from './tls-over.ts';

const pair = { cert: readFileSync(servingPEM), key: readFileSync(servingPEM) };

describe('connections through proxies', () => {
  let directory: string;
  let echo: Server;
  let port = 0;
  const overSocket = new ConnectProxy();
  const overTLS = new ConnectProxy({ ...pair, requestCert: true, rejectUnauthorized: false });
  const overTCP = new ConnectProxy();
  const konnectivity = new KonnectivityServer();
  const ports = { tls: 0, tcp: 0 };
  let registry: MetricRegistry;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'tunnels-'));
    echo = createServer({ allowHalfOpen: true }, (socket) => {
      socket.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    ({ port } = echo.address() as AddressInfo);
    await overSocket.listen(join(directory, 'proxy.sock'));
    ports.tls = await overTLS.listen();
    ports.tcp = await overTCP.listen();
    await konnectivity.listen(join(directory, 'konnectivity.sock'));
    writeFileSync(join(directory, 'ca.pem'), fixtureAuthority());
  });
  after(async () => {
    await Promise.all([overSocket.close(), overTLS.close(), overTCP.close()]);
    konnectivity.close();
    echo.close();
    rmSync(directory, { recursive: true });
  });
  beforeEach(() => {
    registry = new MetricRegistry();
    for (const proxy of [overSocket, overTLS, overTCP, konnectivity]) {
      proxy.asked.length = 0;
      proxy.refusal = undefined;
    }
  });

  const dialBy = (connection: object): Dial => {
    const file = join(directory, 'egress.yaml');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'apiserver.k8s.io/v1beta1',
        kind: 'EgressSelectorConfiguration',
        egressSelections: [{ name: 'cluster', connection }],
      }),
    );
    return EgressSelector.fromFile(file, registry)?.dial('cluster') ?? expect.fail();
  };
  const connecting = (transport: object): Dial => dialBy({ proxyProtocol: 'HTTPConnect', transport });
  const socketAt = (name: string): object => ({ uds: { udsName: join(directory, name) } });
  const tlsConfig = (): object => ({
    caBundle: join(directory, 'ca.pem'),
    clientCert: servingPEM,
    clientKey: servingPEM,
    tlsServerName: 'localhost',
  });
  const errorOf = async (socket: Socket): Promise<string> => {
    const [error] = (await once(socket, 'error').catch((failure: unknown) => [failure])) as [Error];
    return error.message;
  };

  interface Way {
    readonly name: string;
    /** As traces name it. */
    readonly way: string;
    readonly dial: () => Dial;
    readonly asked: () => readonly string[];
  }
  const ways: readonly Way[] = [
    {
      name: 'CONNECT at a unix socket',
      way: 'http_connect protocol over uds',
      dial: () => connecting(socketAt('proxy.sock')),
      asked: () => overSocket.asked,
    },
    {
      name: 'CONNECT over TLS with certificates on both sides',
      way: 'http_connect protocol over tcp',
      dial: () => connecting({ tcp: { url: `https://127.0.0.1:${ports.tls}`, tlsConfig: tlsConfig() } }),
      asked: () => overTLS.asked,
    },
    {
      name: 'CONNECT over TCP',
      way: 'http_connect protocol over tcp',
      dial: () => connecting({ tcp: { url: `http://127.0.0.1:${ports.tcp}` } }),
      asked: () => overTCP.asked,
    },
    {
      name: 'gRPC at a unix socket',
      way: 'grpc protocol over uds',
      dial: () => dialBy({ proxyProtocol: 'GRPC', transport: socketAt('konnectivity.sock') }),
      asked: () => konnectivity.asked.map((asked) => asked.replace(/^tcp /, '')),
    },
  ];
  for (const { asked, dial, name, way } of ways)
    describe(name, () => {
      it('carries bytes both ways, many of them, and the end', async () => {
        const sent = Buffer.alloc(3_000_000, 'kubechain ');
        const socket = dial()('127.0.0.1', port);
        expect(socket.connecting).to.equal(true);
        let got = 0;
        const whole = new Promise<void>((done) => {
          socket.on('data', (chunk: Buffer) => {
            expect(chunk.equals(sent.subarray(got, got + chunk.length))).to.equal(true);
            got += chunk.length;
            if (got === sent.length) done();
          });
        });
        socket.write(sent);
        await whole;
        expect(asked()).to.deep.equal([`127.0.0.1:${port}`]);
        socket.end();
        await once(socket, 'close');
      });

      it('carries TLS for an agent', async () => {
        const server = createHTTPS(pair, (_request, response) => response.end('hello')).listen(0, '127.0.0.1');
        await once(server, 'listening');
        const { port: secure } = server.address() as AddressInfo;
        const agent = agentThrough(new Agent({ keepAlive: true, ca: fixtureAuthority() }), dial());
        const ask = async (): Promise<string> => {
          const request = get({ host: 'localhost', port: secure, agent });
          const [answer] = await once(request, 'response');
          return text(answer);
        };
        expect([await ask(), await ask()]).to.deep.equal(['hello', 'hello']);
        expect(asked()).to.deep.equal([`localhost:${secure}`]);
        agent.destroy();
        server.closeAllConnections();
        server.close();
      });

      it('is a step of a request that is traced', async () => {
        const span = new NotingSpan('address');
        const socket = withSpan(span, () => dial()('127.0.0.1', port));
        await once(socket, 'connect');
        socket.destroy();
        expect(span.notes).to.deep.equal([`Proxy via ${way} 127.0.0.1:${port}`]);
      });

      it('can be given up while it is being made', async () => {
        const socket = dial()('127.0.0.1', port);
        socket.destroy();
        await once(socket, 'close');
      });
    });

  it('are counted by how their proxies are spoken with, and at which stage they fail', async () => {
    const dial = connecting(socketAt('proxy.sock'));
    const socket = dial('127.0.0.1', port);
    await once(socket, 'connect');
    socket.destroy();
    overSocket.refusal = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    await errorOf(dial('10.0.0.1', 443));
    const count = (what: string): readonly unknown[] =>
      registry.samples(`apiserver_egress_dialer_${what}`).map(({ labels, value }) => ({ ...labels, value }));
    const labels = { protocol: 'http_connect', transport: 'uds' };
    expect(count('dial_start_total')).to.deep.equal([{ ...labels, value: 2 }]);
    expect(count('dial_failure_count')).to.deep.equal([{ ...labels, stage: 'proxy', value: 1 }]);
    registry = new MetricRegistry();
    await errorOf(connecting(socketAt('nobody.sock'))('10.0.0.1', 443));
    expect(count('dial_failure_count')).to.deep.equal([{ ...labels, stage: 'connect', value: 1 }]);
  });

  it('show the certificate of the file to the proxy', async () => {
    const dial = connecting({ tcp: { url: `https://127.0.0.1:${ports.tls}`, tlsConfig: tlsConfig() } });
    const socket = dial('127.0.0.1', port);
    await once(socket, 'connect');
    socket.destroy();
    expect(overTLS.shown.at(-1)).to.equal(new X509Certificate(pair.cert).fingerprint256);
  });

  it('fail as the proxy says', async () => {
    overSocket.refusal = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    const proxy = join(directory, 'proxy.sock');
    expect(await errorOf(connecting(socketAt('proxy.sock'))('10.0.0.1', 443))).to.equal(
      `proxy error from ${proxy} while dialing 10.0.0.1:443, code 403: 403 Forbidden`,
    );
    overSocket.refusal = 'HTTP/1.1 200 OK\r\n\r\nearly';
    expect(await errorOf(connecting(socketAt('proxy.sock'))('10.0.0.1', 443))).to.equal(
      `unexpected 5 bytes of buffered data from CONNECT proxy "${proxy}"`,
    );
    overSocket.refusal = '';
    expect(await errorOf(connecting(socketAt('proxy.sock'))('fd00::1', 443))).to.equal(
      `reading HTTP response from CONNECT to [fd00::1]:443 via proxy ${proxy} failed: unexpected EOF`,
    );
    konnectivity.refusal = 'No agent available';
    expect(
      await errorOf(dialBy({ proxyProtocol: 'GRPC', transport: socketAt('konnectivity.sock') })('10.0.0.1', 443)),
    ).to.equal('No agent available');
  });

  it('fail where there is no proxy', async () => {
    const none = join(directory, 'none.sock');
    expect(await errorOf(connecting(socketAt('none.sock'))('10.0.0.1', 443))).to.equal(
      `dial unix ${none}: connect: no such file or directory`,
    );
    expect(await errorOf(dialBy({ proxyProtocol: 'GRPC', transport: socketAt('none.sock') })('h', 443))).to.match(
      /konnectivity server at unix:.* cannot be reached/,
    );
  });
});
