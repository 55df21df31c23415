import { expect } from 'chai';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { EtcdError } from '../etcd-client/etcd-error.ts';
import { MetricRegistry } from '../metrics/metric-registry.ts';
import { registerStorageSizes } from './storage-sizes.ts';

describe('sizes of storage', () => {
  it(
    'are asked for when somebody looks, of each cluster in its ' + 'order, and left out where it does not answer',
    async () => {
      const asked: (number | undefined)[] = [];
      const cluster = (dbSizeBytes: number): Pick<EtcdClient, 'status'> => ({
        status: (options) => {
          asked.push(options?.timeoutMs);
          return dbSizeBytes < 0
            ? Promise.reject(new EtcdError('Unavailable', 'gone'))
            : Promise.resolve({ version: '3.6.0', dbSizeBytes, revision: 1 });
        },
      });
      const clusters = [cluster(20_480), cluster(-1), cluster(4_096)];
      const registry = new MetricRegistry();
      registerStorageSizes(registry, () => clusters);
      const [, metric] = registry.all();
      expect(metric?.description).to.deep.equal({
        name: 'apiserver_storage_size_bytes',
        help: '[STABLE] Size of the storage database file physically allocated in bytes.',
        type: 'gauge',
      });
      expect(asked).to.deep.equal([]);
      expect([...(await metric!.collect())]).to.deep.equal([
        { value: 20_480, labels: { storage_cluster_id: 'etcd-0' } },
        { value: 4_096, labels: { storage_cluster_id: 'etcd-2' } },
      ]);
      expect(asked).to.deep.equal([1_000, 1_000, 1_000]);
      clusters.pop();
      expect([...(await metric!.collect())]).to.deep.equal([
        { value: 20_480, labels: { storage_cluster_id: 'etcd-0' } },
      ]);
    },
  );
});
