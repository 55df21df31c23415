import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { GroupResource } from '@kubechain/apimachinery';
import { CacherSet } from './cacher-set.ts';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import type { StorageInterface } from '../storage/interfaces.ts';
import { pod, podCodec } from '../testing/contract/pods.ts';
import { ObjectCounts } from './object-counts.ts';
import { createRESTOptionsGetter } from './rest-options-getter.ts';
import { StorageFactory } from './storage-factory.ts';
import { registerStorageSizes } from './storage-sizes.ts';

describe('ObjectCounts', () => {
  const pods = { group: '', resource: 'pods' };
  const events = { group: 'events.k8s.io', resource: 'events' };
  let folder: string;
  let etcd: EmbeddedEtcd;
  let factory: StorageFactory;
  let nowMs: number;
  let registry: MetricRegistry;
  let open: (resource: GroupResource) => { storage: StorageInterface; keyRoot: string };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-counts-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    factory = new StorageFactory({ etcdServers: [etcd.endpoint] });
    nowMs = 0;
    registry = new MetricRegistry();
    registerStorageSizes(registry, () => factory.clients().values());
    const restOptions = createRESTOptionsGetter({
      storageFactory: factory,
      cacheStorage: new CacherSet({ consistencyChecks: false }).cacheStorage,
      counts: new ObjectCounts(registry, { maxAgeMs: 60_000, timeoutMs: 300, now: () => nowMs }),
    });
    open = (resource) => {
      const { decorator, keyRoot, resourcePrefix } = restOptions.getRESTOptions(resource);
      return {
        storage: decorator({ groupResource: resource, resourcePrefix, codec: podCodec, namespaced: true }),
        keyRoot,
      };
    };
  });
  afterEach(async () => {
    await factory.close();
    await etcd.close();
    await rm(folder, { recursive: true });
  });
  const shown = async (name: string): Promise<string[]> =>
    [...((await [...registry.all()].find(({ description }) => description.name === name)?.collect()) ?? [])].map(
      ({ labels, value }) => `${Object.values(labels).join('/')}=${value}`,
    );

  it('shows numbers and sizes of what is stored, counted when somebody looks', async () => {
    const cached = open(pods);
    const direct = open(events);
    const written = await cached.storage.create(`${cached.keyRoot}/ns/a`, pod('a', { padding: 1_000 }));
    await direct.storage.create(`${direct.keyRoot}/ns/e`, pod('e'));
    expect(await shown('apiserver_storage_objects')).to.deep.equal(['pods=1', 'events.events.k8s.io=1']);
    expect(await shown('apiserver_resource_size_estimate_bytes'), 'nobody has read them').to.deep.equal([
      '/pods=-1',
      'events.k8s.io/events=-1',
    ]);
    await cached.storage.getList(`${cached.keyRoot}/`);
    expect(await shown('apiserver_resource_size_estimate_bytes'), 'counted not long ago').to.deep.equal([
      '/pods=-1',
      'events.k8s.io/events=-1',
    ]);
    nowMs += 60_000;
    expect(await shown('apiserver_resource_size_estimate_bytes')).to.deep.equal([
      `/pods=${written.json.length}`,
      'events.k8s.io/events=-1',
    ]);
    await cached.storage.create(`${cached.keyRoot}/ns/b`, pod('b'));
    await cached.storage.delete(`${cached.keyRoot}/ns/a`);
    await cached.storage.delete(`${cached.keyRoot}/ns/b`);
    await cached.storage.getList(`${cached.keyRoot}/`);
    nowMs += 60_000;
    expect(await shown('apiserver_resource_objects')).to.deep.equal(['/pods=0', 'events.k8s.io/events=1']);
    expect(await shown('apiserver_resource_size_estimate_bytes')).to.deep.equal(['/pods=0', 'events.k8s.io/events=-1']);
    await cached.storage.close();
    expect(await shown('apiserver_resource_objects')).to.deep.equal(['events.k8s.io/events=1']);
    await direct.storage.close();
  });

  it('shows -1 while etcd does not answer, and no size of its database', async () => {
    const direct = open(events);
    expect((await shown('apiserver_storage_size_bytes')).join()).to.match(/^etcd-0=\d+$/);
    await etcd.close();
    expect(await shown('apiserver_resource_objects')).to.deep.equal(['events.k8s.io/events=-1']);
    expect(await shown('apiserver_storage_size_bytes')).to.deep.equal([]);
    await direct.storage.close();
  });
});
