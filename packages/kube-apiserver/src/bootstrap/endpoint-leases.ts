import { builtinScheme } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { everything, resourceCodec } from '@kubechain/apiserver/resources';
import { isStorageError } from '@kubechain/shared-storage';
import type { RESTOptionsGetter, StorageInterface } from '@kubechain/shared-storage';

const coreV1 = { group: '', version: 'v1' };

/**
 * Addresses of the API servers that are alive: each keeps an object of its own below `/registry/masterleases`, which
 * goes away with its lease when nobody renews it (storageLeases of pkg/controlplane/reconcilers, 1.36).
 */
export class EndpointLeases {
  readonly #storage: StorageInterface;
  readonly #keyRoot: string;
  readonly #ttlSeconds: number;

  /**
   * `direct`: straight on etcd, so that a lease that has run out is not seen. `ttlSeconds` 0: it stays until it is
   * removed, and renewing it writes nothing.
   */
  constructor(direct: RESTOptionsGetter, ttlSeconds: number) {
    const resource = { group: '', resource: 'apiServerIPInfo' };
    const { decorator, keyRoot, resourcePrefix } = direct.getRESTOptions(resource, '/masterleases');
    const codec = resourceCodec({
      scheme: builtinScheme(),
      group: '',
      plural: resource.resource,
      singular: '',
      kind: 'Endpoints',
      namespaced: false,
      memoryVersion: coreV1,
    });
    this.#storage = decorator({ groupResource: resource, resourcePrefix, codec, namespaced: false });
    this.#keyRoot = keyRoot;
    this.#ttlSeconds = ttlSeconds;
  }

  async list(): Promise<string[]> {
    const { items } = await this.#storage.getList(`${this.#keyRoot}/`, {
      resourceVersion: '',
      resourceVersionMatch: '',
      predicate: everything,
      limit: 0,
      continue: '',
      recursive: true,
    });
    return items.flatMap((item) => {
      const { subsets } = item.object() as { subsets?: { addresses?: { ip?: string }[] }[] };
      return subsets?.[0]?.addresses?.[0]?.ip ?? [];
    });
  }

  /** Begins or renews the lease. The generation grows, because what does not change is not written. */
  async renew(address: string): Promise<void> {
    await this.#storage.guaranteedUpdate(
      `${this.#keyRoot}/${address}`,
      ({ object }) => {
        const lease: KubeObject = object ?? { apiVersion: 'v1', kind: 'Endpoints' };
        return {
          object: {
            ...lease,
            metadata: {
              ...lease.metadata,
              generation: this.#ttlSeconds === 0 ? 1 : (lease.metadata?.generation ?? 0) + 1,
            },
            subsets: [{ addresses: [{ ip: address }] }],
          },
          ttlSeconds: this.#ttlSeconds,
        };
      },
      { ignoreNotFound: true },
    );
  }

  async remove(address: string): Promise<void> {
    try {
      await this.#storage.delete(`${this.#keyRoot}/${address}`);
    } catch (error) {
      if (!(isStorageError(error) && error.code === 'KeyNotFound')) throw error;
    }
  }

  close(): Promise<void> {
    return this.#storage.close();
  }
}
