import { ConnectProxy } from '@kubechain/apiserver/testing';
import { createCertificate } from '@kubechain/apiserver/certificates';
import { expect } from 'chai';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Answer } from '../harness/client.ts';
import { WebSocketClient } from '../harness/web-socket.ts';

// Nobody has this address (RFC 5737): what is reached there is reached through the proxy.
const unreachable = '192.0.2.7';
const bytesPerSecond = 30_000;
/** RFC 6455, 1.3. */
const webSocketGUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

describe('connections by --egress-selector-config-file', function () {
  this.timeout(180_000);
  const cluster = new ConnectProxy();
  const controlPlane = new ConnectProxy();
  let directory: string;
  let server: Server;
  let port = 0;
  let caBundle = '';
  let chain: Chain;
  let client: Client;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'egress-e2e-'));
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const cert = createCertificate({
      commonName: 'far',
      isCA: false,
      extendedUsages: ['serverAuth'],
      names: ['far.example.com'],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      publicKey,
      signingKey: privateKey,
    });
    caBundle = Buffer.from(cert).toString('base64');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    server = createServer({ cert, key }, (request, response) => {
      void text(request).then((body) => {
        const { pathname } = new URL(request.url ?? '/', 'https://localhost');
        if (pathname.startsWith('/containerLogs/')) response.end('a line\n');
        else if (pathname === '/validate') {
          const { apiVersion, kind, request: asked } = JSON.parse(body) as Record<string, { readonly uid: string }>;
          const refused = { allowed: false, status: { message: 'not today' } };
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked?.uid, ...refused } }));
        } else {
          response.setHeader('Content-Type', 'application/json');
          response.end(
            JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'far.io/v1', resources: [] }),
          );
        }
      });
    }).listen(0, '127.0.0.1');
    server.on('upgrade', ({ headers }, socket: Duplex) => {
      const accept = createHash('sha1')
        .update(`${headers['sec-websocket-key'] ?? ''}${webSocketGUID}`)
        .digest('base64');
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
          `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      // One message of binary data, and its length in eight bytes (RFC 6455, 5.2).
      const head = Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
      head.writeBigUInt64BE(BigInt(2 * bytesPerSecond), 2);
      socket.write(Buffer.concat([head, Buffer.alloc(2 * bytesPerSecond)]));
    });
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
    const sockets = { cluster: join(directory, 'cluster.sock'), controlplane: join(directory, 'controlplane.sock') };
    await cluster.listen(sockets.cluster);
    await controlPlane.listen(sockets.controlplane);
    const file = join(directory, 'egress.yaml');
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'apiserver.k8s.io/v1beta1',
        kind: 'EgressSelectorConfiguration',
        egressSelections: Object.entries(sockets).map(([name, udsName]) => ({
          name,
          connection: { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } },
        })),
      }),
    );
    chain = await startChain({
      flags: [`--egress-selector-config-file=${file}`, `--max-connection-bytes-per-sec=${bytesPerSecond}`],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    client.close();
    await chain.stop();
    await Promise.all([cluster.close(), controlPlane.close()]);
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true });
  });

  const create = async (path: string, object: object): Promise<Answer['body']> => {
    const answer = await client.post(path, object);
    expect(answer.status, answer.text).to.equal(201);
    return answer.body;
  };

  it('reach kubelets through the proxy of the cluster', async () => {
    cluster.routes.set(`${unreachable}:10250`, `127.0.0.1:${port}`);
    await create('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'far' } });
    const status = { addresses: [{ type: 'InternalIP', address: unreachable }] };
    const patched = await client.call('PATCH', '/api/v1/nodes/far/status', {
      body: { status },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect(patched.status, patched.text).to.equal(200);
    await create('/api/v1/namespaces/default/serviceaccounts', {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    });
    await create('/api/v1/namespaces/default/pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'far' },
      spec: { nodeName: 'far', containers: [{ name: 'c', image: 'i' }] },
    });
    const log = await client.get('/api/v1/namespaces/default/pods/far/log');
    expect(log.text).to.equal('a line\n');
    expect(cluster.asked).to.include(`${unreachable}:10250`);
  });

  it('go no faster than --max-connection-bytes-per-sec once they are upgraded', async () => {
    const startedMs = performance.now();
    const socket = await client.webSocket('/api/v1/nodes/far/proxy/stream');
    if (!(socket instanceof WebSocketClient)) throw new TypeError(socket.text);
    try {
      await socket.atLeast(1);
      expect(socket.frames[0]?.payload).to.have.length(2 * bytesPerSecond);
      expect(performance.now() - startedMs).to.be.above(1500);
    } finally {
      socket.destroy();
    }
  });

  it('tell what the proxy says when it cannot', async () => {
    cluster.refusal = 'HTTP/1.1 503 Service Unavailable\r\n\r\n';
    const log = await client.get('/api/v1/namespaces/default/pods/far/log');
    cluster.refusal = undefined;
    expect(log.body.message).to.equal(
      `Get "https://${unreachable}:10250/containerLogs/default/far/c": proxy error from ` +
        `${join(directory, 'cluster.sock')} while dialing ${unreachable}:10250, code 503: 503 Service Unavailable`,
    );
  });

  it('reach extension API servers through the same one', async () => {
    const service = await create('/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'far' },
      spec: { ports: [{ port: 443 }] },
    });
    const address = `${service.spec.clusterIP}:443`;
    cluster.routes.set(address, `127.0.0.1:${port}`);
    await create('/api/v1/namespaces/default/endpoints', {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'far' },
      subsets: [{ addresses: [{ ip: unreachable }], ports: [{ port: 443 }] }],
    });
    await create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: 'far', labels: { 'kubernetes.io/service-name': 'far' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [unreachable] }],
      ports: [{ port: 443, name: '' }],
    });
    await create('/apis/apiregistration.k8s.io/v1/apiservices', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.far.io' },
      spec: {
        group: 'far.io',
        version: 'v1',
        groupPriorityMinimum: 1,
        versionPriority: 1,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'far' },
      },
    });
    const found = await client.until('/apis/far.io/v1', ({ status }) => status === 200);
    expect(found.body.groupVersion).to.equal('far.io/v1');
    expect(cluster.asked).to.include(address);
  });

  it('reach webhooks with URLs through the proxy of the control plane', async () => {
    await create('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'far' },
      webhooks: [
        {
          name: 'far.example.com',
          clientConfig: { url: `https://far.example.com:${port}/validate`, caBundle },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
        },
      ],
    });
    controlPlane.routes.set(`far.example.com:${port}`, `127.0.0.1:${port}`);
    const deadline = Date.now() + 60_000;
    let message = '';
    for (let i = 0; message === '' && Date.now() < deadline; i++) {
      const answer = await client.post('/api/v1/namespaces/default/configmaps', {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `refused-${i}` },
      });
      if (answer.status !== 201) message = answer.body.message as string;
    }
    expect(message).to.equal('admission webhook "far.example.com" denied the request: not today');
    expect(controlPlane.asked).to.include(`far.example.com:${port}`);
  });
});
