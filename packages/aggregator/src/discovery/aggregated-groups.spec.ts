import { systemClock } from '@kubechain/apimachinery';
import { FakeClock } from '@kubechain/apimachinery/testing';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { DiscoveryManager } from '@kubechain/apiserver/servers';
import { tlsFixture } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { RemoteService } from '../remote/remote-service.ts';
import { aggregatedGroups } from './aggregated-groups.ts';
import { RemoteDiscovery } from './remote-discovery.ts';

const things = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get'] };

describe('aggregated discovery', () => {
  let server: Server;
  let address = '';
  let aggregated = false;
  let gone = false;
  let served = things;
  /** Requests that have come. */
  let asked = 0;
  /** What answers wait for. */
  let held: Promise<void> | undefined;
  let changed: () => void = () => undefined;
  let remote: RemoteDiscovery;
  let services: RemoteService[];
  before(async () => {
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      if (gone) response.writeHead(503).end();
      else if (request.url === '/apis' && aggregated) {
        response.writeHead(200, {
          'content-type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
          etag: '"E"',
        });
        response.end(
          JSON.stringify({
            items: [
              {
                metadata: { name: 'ext.example.com' },
                versions: [{ version: 'v1', resources: [{ resource: 'new' }] }],
              },
              { metadata: { name: 'other' }, versions: [{ version: 'v1' }] },
            ],
          }),
        );
      } else if (request.url === '/apis/ext.example.com/v1') response.end(JSON.stringify({ resources: [served] }));
      else response.writeHead(404).end();
    };
    server = createServer({ key: tlsFixture.serverKey, cert: tlsFixture.serverCert }, (request, response) => {
      asked++;
      if (held === undefined) answer(request, response);
      else
        void held.then(() => {
          answer(request, response);
        });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    services = [];
    remote = new RemoteDiscovery({
      clock: systemClock,
      onChange: () => {
        changed();
      },
    });
  });
  afterEach(() => {
    remote.stop();
    for (const service of services) service.close();
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });

  async function show(
    version: string,
    options: { readonly available?: boolean; readonly group?: string } = {},
  ): Promise<RemoteService> {
    const { available = true, group = 'ext.example.com' } = options;
    const service = new RemoteService(
      {
        metadata: { name: `${version}.${group}` },
        spec: {
          group,
          version,
          groupPriorityMinimum: 17_450,
          versionPriority: 20,
          service: { namespace: 'n', name: 's', port: 443 },
          insecureSkipTLSVerify: true,
        },
        status: { conditions: [{ type: 'Available', status: available ? 'True' : 'False' }] },
      },
      { resolve: () => address, clientCertificate: undefined },
    );
    services.push(service);
    await change(() => {
      remote.set(service);
    });
    return service;
  }
  async function change(act: () => void): Promise<void> {
    const done = new Promise<void>((resolve) => {
      changed = resolve;
    });
    act();
    await done;
  }
  const shown = (): unknown =>
    aggregatedGroups({ own: new DiscoveryManager(), delegated: new DiscoveryManager(), remote }).map(
      ({ metadata, versions }) => [
        metadata.name,
        ...versions.map(({ version, freshness, resources }) => [
          version,
          freshness,
          ...((resources as typeof resources | undefined)?.map(({ resource }) => resource) ?? []),
        ]),
      ],
    );

  it('shows servers that know the old form only', async () => {
    aggregated = false;
    await show('v1');
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Current', 'things']]]);
  });
  it('takes its own group versions from the new form, and no others', async () => {
    aggregated = true;
    await show('v1');
    await show('v2');
    expect(shown()).to.deep.equal([['ext.example.com', ['v2', 'Current'], ['v1', 'Current', 'new']]]);
  });
  it('gives resources a kind of answers where their server names none', async () => {
    aggregated = true;
    await show('v1');
    const [version] = remote.versions();
    expect(version?.discovery.resources[0]?.responseKind).to.deep.equal({ group: '', version: '', kind: '' });
  });
  it('keeps the last document of a server that is gone, as stale', async () => {
    aggregated = false;
    const service = await show('v1');
    gone = true;
    await change(() => {
      remote.set(service);
    });
    gone = false;
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Stale', 'things']]]);
    await change(() => {
      remote.delete(service.name);
    });
    expect(shown()).to.deep.equal([]);
  });
  it('shows a server that never answered without resources, and asks it once its APIService has changed', async () => {
    const service = await show('v1', { available: false });
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Stale']]]);
    await change(() => {
      remote.set(service);
    });
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Current', 'things']]]);
  });
  it('asks again soon where it had no answer, then ever more seldom', async () => {
    remote.stop();
    const clock = new FakeClock();
    remote = new RemoteDiscovery({
      clock,
      onChange: () => {
        changed();
      },
    });
    aggregated = false;
    const service = await show('v1', { available: false });
    for (const pauseMs of [500, 1000]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      await clock.advance(pauseMs);
    }
    service.available = true;
    await change(() => void clock.advance(2000));
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Current', 'things']]]);
  });
  it('asks anew at any change, once more at most while an answer is waited for', async () => {
    aggregated = false;
    const service = await show('v1');
    asked = 0;
    let open: () => void = () => undefined;
    held = new Promise((resolve) => {
      open = resolve;
    });
    for (let i = 0; i < 10; i++) remote.set(service);
    served = { ...things, name: 'later' };
    await change(open);
    held = undefined;
    expect(shown()).to.deep.equal([['ext.example.com', ['v1', 'Current', 'later']]]);
    await setTimeout(100);
    // Each time for either form.
    expect(asked).to.equal(4);
    served = things;
  });
  it('orders by priority, and lets extension API servers override the chain', async () => {
    aggregated = false;
    const delegated = new DiscoveryManager();
    for (const [group, version] of [
      ['custom.example.com', 'v1'],
      ['apps', 'v1'],
      ['batch', 'v1'],
      ['ext.example.com', 'v1'],
    ] as const)
      delegated.setGroupVersion({ group, version }, []);
    const own = new DiscoveryManager();
    own.setGroupVersion({ group: 'apiregistration.k8s.io', version: 'v1' }, []);
    await show('v1');
    const groups = aggregatedGroups({ own, delegated, remote });
    expect(groups.map(({ metadata }) => metadata.name)).to.deep.equal([
      'apiregistration.k8s.io',
      'apps',
      'ext.example.com',
      'batch',
      'custom.example.com',
    ]);
    expect(groups[2]?.versions[0]?.resources[0]?.resource).to.equal('things');
  });
});
