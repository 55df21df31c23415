import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startChain, type Chain } from '../harness/chain.ts';
import { goTool } from '../harness/go-tools.ts';
import { ownAddress } from '../harness/own-address.ts';
import { Kubectl, kubectlBinaries } from '../kubectl/kubectl.ts';

/** Resolves with what a program has printed when it matches; what it prints later is read and forgotten. */
function printed(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const match = pattern.exec(text);
      if (match !== null) resolve(match);
    });
    child.once('exit', () => {
      reject(new Error(`it ended with ${text}`));
    });
  });
}

function fetchText(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response
        .setEncoding('utf8')
        .toArray()
        .then((parts) => {
          resolve(parts.join(''));
        }, reject);
    }).on('error', reject);
  });
}

/** kubectl through the three processes to a kubelet that has the streaming code of container runtimes. */
describe('streams to kubelets', () => {
  let chain: Chain;
  let kubelet: ChildProcess;
  let pod: Server;
  let podPort = 0;
  const address = ownAddress();

  before(async function () {
    this.timeout(900_000);
    const [path, started] = await Promise.all([goTool('kubelet'), startChain()]);
    chain = started;
    kubelet = spawn(path, [':0'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = Number((await printed(kubelet, /ready (\d+)\n/))[1]);
    pod = createServer((request, response) => {
      response.setHeader('content-type', 'text/html').end(`<a href="/other">${request.url ?? ''}</a>`);
    });
    await once(pod.listen(0, '0.0.0.0'), 'listening');
    podPort = (pod.address() as AddressInfo).port;
    const kubectl = new Kubectl(await goTool('kubectl'), chain.kubeconfig);
    try {
      await place(kubectl, { address, port, podPort });
    } finally {
      kubectl.close();
    }
  });
  after(async () => {
    kubelet?.kill();
    await new Promise((resolve) => {
      pod?.close(resolve).closeAllConnections();
    });
    await chain?.stop();
  });

  for (const binary of kubectlBinaries()) {
    describe(`of ${binary.name}`, () => {
      let kubectl: Kubectl;
      before(async function () {
        this.timeout(900_000);
        kubectl = new Kubectl(await binary.path(), chain.kubeconfig);
      });
      after(() => {
        kubectl.close();
      });

      it('read logs, to their end or as they grow', async () => {
        expect(await kubectl.ok(['logs', 'web', '-c', 'main'])).to.equal(
          'line 0 of main\nline 1 of main\nline 2 of main\n',
        );
        expect(await kubectl.ok(['logs', 'web', '-c', 'main', '--tail=1', '-f'])).to.equal(
          'line 2 of main\nline 3 of main\nline 4 of main\nline 5 of main\n',
        );
        expect((await kubectl.run(['logs', 'web', '-c', 'broken'])).stderr).to.include(
          'container "broken" is waiting to start',
        );
      });

      it('run commands, with what they read, say and end with', async () => {
        expect(await kubectl.ok(['exec', 'web', '-c', 'main', '--', 'echo', 'a b'])).to.equal('a b\n');
        const failed = await kubectl.run([
          'exec',
          'web',
          '-c',
          'main',
          '--',
          'sh',
          '-c',
          'echo out; echo err >&2; exit 3',
        ]);
        expect([failed.code, failed.stdout, failed.stderr.split('\n')[0]]).to.deep.equal([3, 'out\n', 'err']);
        const much = 'x'.repeat(2_000_000);
        expect(await kubectl.ok(['exec', '-i', 'web', '-c', 'main', '--', 'cat'], much)).to.equal(much);
      });

      it('attach to what runs', async () => {
        expect(await kubectl.ok(['attach', '-i', 'web', '-c', 'main'], 'hello'))
          .to.include('attached to main in web')
          .and.to.include('hello');
      });

      it('forward ports', async () => {
        const local = await freePort();
        const forward = kubectl.start(['port-forward', 'pod/web', `${local}:${podPort}`]);
        try {
          await printed(forward, /Forwarding from 127\.0\.0\.1/);
          const texts = await Promise.all([1, 2, 3].map((i) => fetchText(`http://127.0.0.1:${local}/${i}`)));
          expect(texts).to.deep.equal([1, 2, 3].map((i) => `<a href="/other">/${i}</a>`));
        } finally {
          forward.kill();
        }
      });

      it('are told what a kubelet that is away means', async () => {
        const { code, stderr } = await kubectl.run(['exec', 'lost', '--', 'true']);
        expect(code).to.equal(1);
        expect(stderr).to.include('connection refused');
        expect((await kubectl.run(['logs', 'lost'])).stderr).to.match(
          /Get "https:\/\/127\.0\.0\.1:1\/containerLogs\/default\/lost\/main": dial tcp 127\.0\.0\.1:1: connect: connection refused/,
        );
      });

      it('reach them by a proxy of their own', async () => {
        const proxy = kubectl.start(['proxy', '--port=0']);
        try {
          const [, port = ''] = await printed(proxy, /Starting to serve on 127\.0\.0\.1:(\d+)/);
          const path = `/api/v1/namespaces/default/pods/web:${podPort}/proxy/`;
          expect(await fetchText(`http://127.0.0.1:${port}${path}x`)).to.equal(`<a href="${path}other">/x</a>`);
          expect(
            await fetchText(
              `http://127.0.0.1:${port}/api/v1/namespaces/default/pods/web/log?container=main&tailLines=1`,
            ),
          ).to.equal('line 2 of main\n');
        } finally {
          proxy.kill();
        }
      });

      it('reach pods, services and nodes by proxy', async () => {
        const root = '/api/v1/namespaces/default';
        expect(await kubectl.ok(['get', '--raw', `${root}/pods/web:${podPort}/proxy/a?b=c`])).to.equal(
          `<a href="${root}/pods/web:${podPort}/proxy/other">/a?b=c</a>`,
        );
        expect(await kubectl.ok(['get', '--raw', `${root}/services/web:http/proxy/a`])).to.equal(
          `<a href="${root}/services/web:http/proxy/other">/a</a>`,
        );
        expect(await kubectl.ok(['get', '--raw', `${root}/services/http:web:80/proxy/`])).to.equal(
          `<a href="${root}/services/http:web:80/proxy/other">/</a>`,
        );
        expect(await kubectl.ok(['get', '--raw', '/api/v1/nodes/near/proxy/pods?x=1'])).to.equal('GET /pods?x=1\n');
      });
    });
  }
});

/** Two nodes, one of which answers, a pod on each, and a service. */
async function place(
  kubectl: Kubectl,
  { address, podPort, port }: { readonly address: string; readonly port: number; readonly podPort: number },
): Promise<void> {
  const node = (name: string, ip: string, kubeletPort: number): object => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: {
      addresses: [{ type: 'InternalIP', address: ip }],
      daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
    },
  });
  const podOn = (name: string, nodeName: string, containers: readonly string[]): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      nodeName,
      automountServiceAccountToken: false,
      containers: containers.map((container) => ({ name: container, image: 'none' })),
    },
  });
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } },
    node('near', address, port),
    node('away', '127.0.0.1', 1),
    podOn('web', 'near', ['main', 'broken']),
    podOn('lost', 'away', ['main']),
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ name: 'http', port: 80 }] } },
    {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'web' },
      subsets: [
        {
          addresses: [{ ip: address, targetRef: { kind: 'Pod', name: 'web', namespace: 'default' } }],
          ports: [{ name: 'http', port: podPort }],
        },
      ],
    },
  ];
  await kubectl.ok(['create', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const running = { status: { phase: 'Running', podIPs: [{ ip: address }], podIP: address, containerStatuses: [] } };
  for (const name of ['web', 'lost'])
    await kubectl.ok(['patch', 'pod', name, '--subresource=status', '--type=merge', '-p', JSON.stringify(running)]);
}
