import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import type { MetricSample } from '../metrics/metric-family.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';

/** As upstream: who looks at metrics does not wait longer for one cluster. */
const timeoutMs = 1_000;

/**
 * Shows the size of each cluster's database as a metric; a cluster that does not answer is left out (etcd3/metrics
 * monitorCollector, 1.36).
 */
export function registerStorageSizes(
  registry: MetricRegistry,
  clients: () => Iterable<Pick<EtcdClient, 'status'>>,
): void {
  registry.collected(
    {
      name: 'apiserver_storage_size_bytes',
      help: '[STABLE] Size of the storage database file physically allocated in bytes.',
      type: 'gauge',
    },
    async () => {
      const sizes = await Promise.all(
        [...clients()].map(async (client, i): Promise<MetricSample[]> => {
          try {
            const { dbSizeBytes } = await client.status({ timeoutMs });
            return [{ value: dbSizeBytes, labels: { storage_cluster_id: `etcd-${i}` } }];
          } catch {
            return [];
          }
        }),
      );
      return sizes.flat();
    },
  );
}
