import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { setTimeout as delay } from 'node:timers/promises';
import { CacherSet } from './cacher-set.ts';
import { compactRevisionKey } from '../etcd3/compactor.ts';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { StoreMetricSet } from '../etcd3/store-metric-set.ts';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import type { StorageInterface } from '../storage/interfaces.ts';
import { isStorageError } from '../storage/errors.ts';
import { namesOf, pod, podCodec } from '../testing/contract/pods.ts';
import { rejection } from '../testing/contract/rejection.ts';
import { createRESTOptionsGetter } from './rest-options-getter.ts';
import type { RESTOptionsGetterOptions } from './rest-options-getter.ts';
import { StorageFactory } from './storage-factory.ts';
import type { StorageFactoryOptions } from './storage-factory.ts';

const pods = { group: '', resource: 'pods' };
const services = { group: '', resource: 'services' };
const deployments = { group: 'apps', resource: 'deployments' };

describe('StorageFactory', () => {
  const factories: StorageFactory[] = [];
  afterEach(async () => {
    for (const factory of factories.splice(0)) await factory.close();
  });
  const factoryOf = (options: Partial<StorageFactoryOptions> = {}): StorageFactory => {
    const factory = new StorageFactory({ etcdServers: ['http://127.0.0.1:1'], ...options });
    factories.push(factory);
    return factory;
  };

  it('asks each server of its own, those of overrides, too', async () => {
    const asked: string[] = [];
    const closed: string[] = [];
    const factory = factoryOf({
      etcdServers: ['http://a', 'http://b'],
      serverOverrides: [{ resource: pods, servers: ['http://b', 'http://c'] }],
      createClient: (servers) =>
        ({
          range: ({ key }: { key: string }) => {
            asked.push(`${servers.join()} ${key}`);
            return servers[0] === 'http://c' ? Promise.reject(new Error('down')) : Promise.resolve({});
          },
          close: () => {
            closed.push(servers.join());
            return Promise.resolve();
          },
        }) as unknown as EtcdClient,
    });
    expect(factory.servers()).to.deep.equal(['http://a', 'http://b', 'http://c']);
    await factory.checkServer('http://a', 1000);
    expect(
      await factory
        .checkServer('http://c', 1000)
        .catch((error: unknown) => (error instanceof Error ? error.message : '')),
    ).to.equal('down');
    expect(asked).to.deep.equal(['http://a /registry/health', 'http://c /registry/health']);
    expect(closed).to.deep.equal(['http://a', 'http://c']);
  });

  it('knows where resources are stored', () => {
    const factory = factoryOf({
      resourcePrefixes: new Map([
        ['services', 'services/specs'],
        ['apiservices.apiregistration.k8s.io', 'apiregistration.k8s.io/apiservices'],
      ]),
    });
    expect(factory.configFor(pods).keyRoot).to.equal('/registry/pods');
    expect(factory.configFor(services).keyRoot).to.equal('/registry/services/specs');
    expect(factory.configFor(services).resourcePrefix).to.equal('/services/specs');
    expect(factory.configFor(deployments).keyRoot).to.equal('/registry/deployments');
    expect(factory.configFor({ group: 'apiregistration.k8s.io', resource: 'apiservices' }).keyRoot).to.equal(
      '/registry/apiregistration.k8s.io/apiservices',
    );
    expect(factory.configFor({ group: 'example.com', resource: 'foos' }, '/example.com/foos').keyRoot).to.equal(
      '/registry/example.com/foos',
    );
  });

  for (const [etcdPrefix, keyRoot] of [
    ['registry', '/registry/pods'],
    ['/other/', '/other/pods'],
    ['/', '/pods'],
    ['', '/pods'],
    ['/a/b', '/a/b/pods'],
  ] as const) {
    it(`takes --etcd-prefix=${etcdPrefix}`, () => {
      expect(factoryOf({ etcdPrefix }).configFor(pods).keyRoot).to.equal(keyRoot);
    });
  }

  it('shares a client among the resources of the same servers', () => {
    const made: string[] = [];
    const factory = factoryOf({
      etcdServers: ['http://a', 'http://b'],
      serverOverrides: [{ resource: pods, servers: ['http://c'] }],
      createClient: (servers) => {
        made.push(servers.join());
        return createEtcdClient({ endpoints: servers });
      },
    });
    expect(factory.configFor(pods).client).to.not.equal(factory.configFor(services).client);
    expect(factory.configFor(services).client).to.equal(factory.configFor(deployments).client);
    expect(factory.configFor(services).leases).to.equal(factory.configFor(deployments).leases);
    expect(factory.client).to.equal(factory.configFor(services).client);
    expect(made).to.deep.equal(['http://c', 'http://a,http://b']);
    expect([...factory.clients().keys()]).to.have.members(made);
  });

  it('tells in one line that etcd is not there', async () => {
    let failure: unknown;
    await factoryOf()
      .checkHealth(500)
      .catch((error: unknown) => {
        failure = error;
      });
    if (!isStorageError(failure, 'Unreachable')) return expect.fail(String(failure));
    expect(failure.message).to.equal(
      'etcd (http://127.0.0.1:1) is not available: etcd at http://127.0.0.1:1 cannot be reached: connect ' +
        'ECONNREFUSED 127.0.0.1:1',
    );
  });

  describe('with a store', () => {
    let folder: string;
    let etcd: EmbeddedEtcd;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kubechain-factory-'));
      etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    });
    after(async () => {
      await etcd.close();
      await rm(folder, { recursive: true });
    });

    const storageOf = (
      factory: StorageFactory,
      options: Partial<RESTOptionsGetterOptions> = {},
      groupResource = pods,
    ): { storage: StorageInterface; keyRoot: string } => {
      const { decorator, keyRoot, resourcePrefix } = createRESTOptionsGetter({
        storageFactory: factory,
        ...options,
      }).getRESTOptions(groupResource);
      return { storage: decorator({ groupResource, resourcePrefix, codec: podCodec, namespaced: true }), keyRoot };
    };

    it('is healthy', () => factoryOf({ etcdServers: [etcd.endpoint] }).checkHealth());

    it('makes storages that work, counted in metrics', async () => {
      const registry = new MetricRegistry();
      const metrics = new StoreMetricSet(registry);
      const { storage, keyRoot } = storageOf(factoryOf({ etcdServers: [etcd.endpoint] }), {
        metricsFor: (resource) => metrics.forResource(resource),
      });
      await storage.create(`${keyRoot}/ns/a`, pod('a'));
      await storage.get(`${keyRoot}/ns/a`);
      await storage.getList(`${keyRoot}/`);
      await storage.close();
      expect(registry.samples('etcd_requests_total')).to.deep.equal(
        ['create', 'get', 'list'].map((operation) => ({
          value: 1,
          labels: { operation, group: '', resource: 'pods' },
        })),
      );
      expect(registry.samples('apiserver_storage_list_fetched_objects_total')).to.deep.equal([
        { value: 1, labels: { group: '', resource: 'pods' } },
      ]);
    });

    it('makes caches forget what anybody compacts', async () => {
      const factory = factoryOf({
        etcdServers: [etcd.endpoint],
        compaction: { intervalMs: 60_000, onError: (error) => expect.fail(String(error)) },
      });
      const cachers = new CacherSet({ consistencyChecks: false });
      const { storage, keyRoot } = storageOf(factory, { cacheStorage: cachers.cacheStorage });
      await storage.create(`${keyRoot}/ns/x`, pod('x'));
      const { resourceVersion } = await storage.getList(`${keyRoot}/`);
      const { revision } = await storage.create(`${keyRoot}/ns/y`, pod('y'));
      await storage.getList(`${keyRoot}/`);
      const exact = { resourceVersion, resourceVersionMatch: 'Exact' } as const;
      const before = await storage.getList(`${keyRoot}/`, exact);
      expect(namesOf(before.items), 'the cache can tell the past').to.not.include('y');

      const other = createEtcdClient({ endpoints: [etcd.endpoint] });
      await other.put({ key: compactRevisionKey, value: Buffer.from(String(revision)) });
      await other.compact(revision);
      for (let i = 0; (storage.compactedRevision?.() ?? 0) < revision; i++) {
        expect(i).to.be.below(500);
        await delay(10);
      }
      await rejection(storage.getList(`${keyRoot}/`, exact), 'ResourceExpired');
      expect(
        namesOf((await storage.getList(`${keyRoot}/`, { ...exact, resourceVersion: String(revision) })).items),
      ).to.include('y');
      await other.close();
      await storage.close();
    });

    it('caches what is to be cached', () => {
      const factory = factoryOf({ etcdServers: [etcd.endpoint] });
      const cached: string[] = [];
      const cacheStorage: RESTOptionsGetterOptions['cacheStorage'] = ({ storage, config, keyRoot }) => {
        cached.push(`${config.groupResource.resource} ${keyRoot}`);
        return storage;
      };
      const watchCacheSizes = new Map([
        ['services', 0],
        ['deployments.apps', 100],
      ]);
      for (const resource of [pods, services, deployments, { group: '', resource: 'events' }])
        storageOf(factory, { cacheStorage, watchCacheSizes }, resource);
      expect(cached).to.deep.equal(['pods /registry/pods', 'deployments /registry/deployments']);
      cached.length = 0;
      storageOf(
        factory,
        { cacheStorage, watchCacheSizes: new Map([['events', 100]]) },
        { group: '', resource: 'events' },
      );
      expect(cached, 'a size asks for a cache').to.deep.equal(['events /registry/events']);
      expect(storageOf(factory).storage).to.be.instanceOf(Etcd3Store);
    });
  });
});
