import { tlsFixture } from '@kubechain/shared-storage/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

/**
 * What requests for other documents may usually take: a fifth of the time after which an extension server is given up.
 */
const unaffectedMs = 1_000;
/** What no such request may take: it would have waited for the extension server. */
const waitedMs = 4_500;
const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const services = '/apis/apiregistration.k8s.io/v1/apiservices';

const resourceList = (groupVersion: string, name: string): string =>
  JSON.stringify({
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: [{ name, singularName: '', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] }],
  });

/**
 * An extension server as they were before aggregated discovery: it knows /apis/<group>/<version>, and its own way of
 * /apis.
 */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Server> {
  const server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe('extension servers that are old, slow or gone', () => {
  let chain: Chain;
  let admin: Client;
  let silent = false;
  const servers: Server[] = [];

  async function register(
    name: string,
    port: number,
    spec: {
      readonly group: string;
      readonly version: string;
      readonly groupPriorityMinimum: number;
      readonly versionPriority: number;
    },
  ): Promise<void> {
    await admin.post('/api/v1/namespaces/default/services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    });
    const answer = await admin.post(services, {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `${spec.version}.${spec.group}` },
      spec: { ...spec, insecureSkipTLSVerify: true, service: { namespace: 'default', name, port } },
    });
    expect(answer.status, answer.text).to.equal(201);
  }
  const condition = async (
    name: string,
    status: string,
  ): Promise<{ readonly reason: string; readonly message: string }> =>
    (await admin.until(`${services}/${name}`, ({ body }) => body?.status?.conditions?.[0]?.status === status, 90_000))
      .body.status.conditions[0];

  before(async () => {
    chain = await startChain();
    admin = Client.fromKubeconfig(chain.kubeconfig);
    const old = await startServer((request, response) => {
      const [, version] = /^\/apis\/old\.example\.com\/(v1|v2)$/.exec(request.url ?? '') ?? [];
      response.setHeader('content-type', 'application/json');
      // It does not understand what it is asked for, and answers in the only form that it knows.
      if (request.url === '/apis')
        response.end(
          JSON.stringify({
            kind: 'APIGroupList',
            apiVersion: 'v1',
            groups: [{ name: 'old.example.com', versions: [] }],
          }),
        );
      else if (version === undefined) response.writeHead(404).end();
      else response.end(resourceList(`old.example.com/${version}`, `things${version}`));
    });
    const slow = await startServer((request, response) => {
      if (silent) return;
      if (request.url === '/apis/slow.example.com/v1')
        response.setHeader('content-type', 'application/json').end(resourceList('slow.example.com/v1', 'slugs'));
      else response.writeHead(404).end();
    });
    servers.push(old, slow);
    await register('old', portOf(old), {
      group: 'old.example.com',
      version: 'v1',
      groupPriorityMinimum: 2_000,
      versionPriority: 10,
    });
    await register('old', portOf(old), {
      group: 'old.example.com',
      version: 'v2',
      groupPriorityMinimum: 1_500,
      versionPriority: 20,
    });
    await register('slow', portOf(slow), {
      group: 'slow.example.com',
      version: 'v1',
      groupPriorityMinimum: 1_800,
      versionPriority: 10,
    });
    await register('gone', 1, {
      group: 'gone.example.com',
      version: 'v1',
      groupPriorityMinimum: 1_900,
      versionPriority: 10,
    });
    for (const name of ['v1.old.example.com', 'v2.old.example.com', 'v1.slow.example.com'])
      await condition(name, 'True');
    await condition('v1.gone.example.com', 'False');
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });

  const extensions = (
    groups: readonly { readonly name?: string; readonly metadata?: { readonly name: string } }[],
  ): string[] =>
    groups.map(({ name, metadata }) => name ?? metadata?.name ?? '').filter((name) => name.endsWith('.example.com'));
  interface Version {
    readonly version: string;
    readonly freshness: string;
    readonly resources?: readonly { readonly resource: string }[];
  }
  const documentOf = async (
    group: string,
  ): Promise<readonly (readonly [version: string, freshness: string, ...resources: string[]])[]> => {
    const { body } = await admin.get('/apis', { headers: { accept: aggregated } });
    const { versions } = (
      body.items as readonly { readonly metadata: { readonly name: string }; readonly versions: readonly Version[] }[]
    ).find(({ metadata }) => metadata.name === group) ?? { versions: [] };
    return versions.map(({ version, freshness, resources = [] }) => [
      version,
      freshness,
      ...resources.map(({ resource }) => resource),
    ]);
  };

  it('stand in both forms of discovery, by their priorities', async () => {
    const { body: list } = await admin.get('/apis');
    expect(extensions(list.groups)).to.deep.equal(['old.example.com', 'gone.example.com', 'slow.example.com']);
    const { body: group } = await admin.get('/apis/old.example.com');
    expect([group.preferredVersion.version, group.versions.map(({ version }: Version) => version)]).to.deep.equal([
      'v2',
      ['v2', 'v1'],
    ]);
    const { body: document } = await admin.get('/apis', { headers: { accept: aggregated } });
    expect(extensions(document.items)).to.deep.equal(['old.example.com', 'gone.example.com', 'slow.example.com']);
  });

  it('are asked in the old form when they do not know the new one', async () => {
    expect(await documentOf('old.example.com')).to.deep.equal([
      ['v2', 'Current', 'thingsv2'],
      ['v1', 'Current', 'thingsv1'],
    ]);
    expect(await documentOf('gone.example.com')).to.deep.equal([['v1', 'Stale']]);
    const refused = await admin.get('/apis/gone.example.com/v1');
    expect([refused.status, refused.headers['content-type'], refused.text]).to.deep.equal([
      503,
      'text/plain; charset=utf-8',
      'service unavailable\n',
    ]);
  });

  it('are counted as unavailable, one by one', async () => {
    const { text } = await admin.get('/metrics');
    const gauge = (name: string): string | undefined =>
      new RegExp(`^aggregator_unavailable_apiservice\\{name="${name}"\\} (\\S+)$`, 'm').exec(text)?.[1];
    expect(['v1.old.example.com', 'v1.gone.example.com', 'v1.apps'].map(gauge)).to.deep.equal(['0', '1', '0']);
  });

  it('tell how long they were waited for', async () => {
    const answer = await admin.get('/apis/old.example.com/v1', { headers: { 'X-Kubechain-Server-Timing': '1' } });
    expect(String(answer.headers['server-timing'])).to.match(
      /^aggregator\.filters;dur=\d+\.\d{3}, aggregator\.proxy;dur=\d+\.\d{3}, aggregator\.total;dur=\d+\.\d{3}$/,
    );
  });

  it('cost the others nothing when they stop answering', async () => {
    silent = true;
    const asked = performance.now();
    const took = new Map<string, number[]>();
    const slow = admin.get('/apis/slow.example.com/v1');
    for (let round = 0; performance.now() - asked < 7_000; round++) {
      for (const [path, accept] of [
        ['/apis', 'application/json'],
        ['/apis', aggregated],
        ['/api', aggregated],
        ['/apis/old.example.com/v1', 'application/json'],
        ['/apis/slow.example.com', 'application/json'],
        ['/apis/apps/v1', 'application/json'],
        ['/openapi/v3', 'application/json'],
      ] as const) {
        const startedAt = performance.now();
        const { status } = await admin.get(path, { headers: { accept } });
        expect(status, path).to.equal(200);
        const ms = performance.now() - startedAt;
        expect(ms, `${path} in round ${round}`).to.be.lessThan(waitedMs);
        took.set(path, [...(took.get(path) ?? []), ms]);
      }
    }
    for (const [path, times] of took)
      expect(times.toSorted((a, b) => a - b)[times.length >> 1], path).to.be.lessThan(unaffectedMs);
    expect(await documentOf('old.example.com')).to.deep.equal([
      ['v2', 'Current', 'thingsv2'],
      ['v1', 'Current', 'thingsv1'],
    ]);
    const answer = await slow;
    expect([answer.status, answer.text]).to.deep.equal([
      503,
      'error trying to reach service: context deadline exceeded\n',
    ]);
  }).timeout(120_000);

  it('are found unavailable, and keep their last documents as stale', async () => {
    const { reason, message } = await condition('v1.slow.example.com', 'False');
    expect(reason).to.equal('FailedDiscoveryCheck');
    expect(message).to.match(
      /^failing or missing response from (https:\/\/localhost:\d+\/apis\/slow\.example\.com\/v1): Get "\1": (?:context deadline exceeded|net\/http: request canceled)/,
    );
    // Since its APIService has changed it is asked once more, which it does not answer either.
    const untilMs = performance.now() + 30_000;
    let shown = await documentOf('slow.example.com');
    for (; shown[0]?.[1] === 'Current' && performance.now() < untilMs; await delay(100))
      shown = await documentOf('slow.example.com');
    expect(shown).to.deep.equal([['v1', 'Stale', 'slugs']]);
    const { text } = await admin.get('/metrics');
    expect(text).to.match(
      /^aggregator_unavailable_apiservice_total\{name="v1\.slow\.example\.com",reason="FailedDiscoveryCheck"\} 1$/m,
    );
    silent = false;
    await condition('v1.slow.example.com', 'True');
    await admin.until('/metrics', ({ text: after }) =>
      after.includes('aggregator_unavailable_apiservice{name="v1.slow.example.com"} 0'),
    );
  }).timeout(120_000);
});
