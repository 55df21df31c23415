import { formatGroupResource, systemClock } from '@kubechain/apimachinery';
import type { GroupResource } from '@kubechain/apimachinery';
import type { MetricSample } from '../metrics/metric-family.ts';
import type { MetricRegistry } from '../metrics/metric-registry.ts';
import type { StorageInterface } from '../storage/interfaces.ts';

export interface ObjectCountsOptions {
  /** Counts younger than this are shown again (`--etcd-count-metric-poll-period`). */
  readonly maxAgeMs: number;
  /** Bounds one count. Default 2,000. */
  readonly timeoutMs?: number;
  /** Milliseconds; for tests. */
  readonly now?: () => number;
}

interface Observed {
  readonly resource: GroupResource;
  readonly storage: StorageInterface;
  readonly prefix: string;
  objects: number;
  bytes: number;
}

/** What is stored of one resource; undefined where it could not be found out. */
export interface ResourceCount {
  readonly resource: GroupResource;
  readonly objects: number | undefined;
  readonly bytes: number | undefined;
}

/**
 * How many objects are stored and about how large they are together, as metrics (etcd3/metrics UpdateStoreStats, 1.36).
 * Upstream counts on a timer; here whoever looks at the metrics has them counted, unless that has just been done. A
 * count that fails is shown as -1, a size that nobody knows too.
 */
export class ObjectCounts {
  readonly #options: ObjectCountsOptions;
  readonly #now: () => number;
  readonly #observed = new Set<Observed>();
  #countedMs = -Infinity;
  #counting: Promise<void> | undefined;

  constructor(registry: MetricRegistry, options: ObjectCountsOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => systemClock.now());
    const collected = (name: string, help: string, sample: (observed: Observed) => MetricSample): void => {
      registry.collected({ name, help, type: 'gauge' }, async () => {
        await this.#count();
        return [...this.#observed].map(sample);
      });
    };
    const labels = ({ resource: { group, resource } }: Observed): Readonly<Record<string, string>> => ({
      group,
      resource,
    });
    collected(
      'apiserver_storage_objects',
      '[STABLE] (Deprecated since 1.34.0) [DEPRECATED, consider using apiserver_resource_objects instead] Number ' +
        'of stored objects at the time of last check split by kind. In case of a fetching error, the value will be -1.',
      (observed) => ({ value: observed.objects, labels: { resource: formatGroupResource(observed.resource) } }),
    );
    collected(
      'apiserver_resource_objects',
      '[ALPHA] Number of stored objects at the time of last check split by kind. In case of a fetching error, ' +
        'the value will be -1.',
      (observed) => ({ value: observed.objects, labels: labels(observed) }),
    );
    collected(
      'apiserver_resource_size_estimate_bytes',
      '[ALPHA] Estimated size of stored objects in database. Estimate is based on sum of last observed sizes ' +
        'of serialized objects. In case of a fetching error, the value will be -1.',
      (observed) => ({ value: observed.bytes, labels: labels(observed) }),
    );
  }

  /** Counts a storage from now on; call the result when it is closed. @param keyRoot without a final slash */
  add(resource: GroupResource, storage: StorageInterface, keyRoot: string): () => void {
    const observed: Observed = { resource, storage, prefix: `${keyRoot}/`, objects: -1, bytes: -1 };
    this.#observed.add(observed);
    this.#countedMs = -Infinity;
    return () => {
      this.#observed.delete(observed);
    };
  }

  /** The counts of all storages, not older than `maxAgeMs`. */
  async counts(): Promise<ResourceCount[]> {
    await this.#count();
    return [...this.#observed].map(({ resource, objects, bytes }) => ({
      resource,
      objects: known(objects),
      bytes: known(bytes),
    }));
  }

  #count(): Promise<void> {
    if (this.#now() - this.#countedMs < this.#options.maxAgeMs) return Promise.resolve();
    return (this.#counting ??= this.#countAll().finally(() => {
      this.#counting = undefined;
    }));
  }

  async #countAll(): Promise<void> {
    this.#countedMs = this.#now();
    const signal = AbortSignal.timeout(this.#options.timeoutMs ?? 2_000);
    await Promise.all(
      [...this.#observed].map(async (observed) => {
        try {
          observed.objects = await observed.storage.count(observed.prefix, { signal });
          observed.bytes = observed.objects === 0 ? 0 : (observed.storage.sizeEstimateBytes?.() ?? -1);
        } catch {
          observed.objects = -1;
          observed.bytes = -1;
        }
      }),
    );
  }
}

function known(value: number): number | undefined {
  return value < 0 ? undefined : value;
}
