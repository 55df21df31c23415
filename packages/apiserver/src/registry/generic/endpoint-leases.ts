import { builtinScheme } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { isStorageError } from '@kubechain/shared-storage';
import type { RESTOptionsGetter, StorageInterface } from '@kubechain/shared-storage';
import { everything } from '../rest/selection-predicate.ts';
import { resourceCodec } from './resource-codec.ts';

const coreV1 = { group: '', version: 'v1' };

/** Which of the two lists of API servers, and how long one stays in it that does not renew its lease. */
export interface EndpointLeasesOptions {
  /**
   * `masterleases`: addresses behind service `kubernetes`, by themselves. `peerserverleases`: where servers take
   * requests of their peers, by identity.
   */
  readonly list: 'masterleases' | 'peerserverleases';
  /** 0: a lease stays until it is removed, and renewing it writes nothing. */
  readonly ttlSeconds: number;
}

/** An API server that is alive. */
export interface ServerEndpoint {
  readonly ip: string;
  /** Undefined: that of all. */
  readonly port?: number | undefined;
  /** Undefined where it is known by its address alone. */
  readonly serverID?: string | undefined;
}

/** Label of who it is. */
const identityLabel = 'apiserverIdentity';
/** What the reference's storage calls them, for choosing a store by resource. */
const resources = { masterleases: 'apiServerIPInfo', peerserverleases: 'apiServerPeerIPInfo' } as const;

interface StoredEndpoints {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip?: string }[];
    readonly ports?: readonly { readonly port?: number }[];
  }[];
}

/**
 * Addresses of the API servers that are alive: each keeps an object of its own below `/registry/masterleases` or
 * `/registry/peerserverleases`, which goes away with its lease when nobody renews it (storageLeases of
 * pkg/controlplane/reconcilers and peerEndpointLeases of apiserver/pkg/reconcilers, 1.36).
 */
export class EndpointLeases {
  readonly #storage: StorageInterface;
  readonly #keyRoot: string;
  readonly #ttlSeconds: number;

  /** `direct`: straight on etcd, so that a lease that has run out is not seen. */
  constructor(direct: RESTOptionsGetter, { list, ttlSeconds }: EndpointLeasesOptions) {
    const resource = { group: '', resource: resources[list] };
    const { decorator, keyRoot, resourcePrefix } = direct.getRESTOptions(resource, `/${list}`);
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

  async list(): Promise<ServerEndpoint[]> {
    const { items } = await this.#storage.getList(`${this.#keyRoot}/`, {
      resourceVersion: '',
      resourceVersionMatch: '',
      predicate: everything,
      limit: 0,
      continue: '',
      recursive: true,
    });
    return items.flatMap((item) => {
      const { metadata, subsets } = item.object() as StoredEndpoints;
      const ip = subsets?.[0]?.addresses?.[0]?.ip ?? '';
      if (ip === '') return [];
      return { ip, port: subsets?.[0]?.ports?.[0]?.port, serverID: metadata?.labels?.[identityLabel] };
    });
  }

  /** Begins or renews the lease. The generation grows, because what does not change is not written. */
  async renew({ ip, port, serverID }: ServerEndpoint): Promise<void> {
    await this.#storage.guaranteedUpdate(
      `${this.#keyRoot}/${serverID ?? ip}`,
      ({ object }) => {
        const lease: KubeObject = object ?? { apiVersion: 'v1', kind: 'Endpoints' };
        return {
          object: {
            ...lease,
            metadata: {
              ...lease.metadata,
              generation: this.#ttlSeconds === 0 ? 1 : (lease.metadata?.generation ?? 0) + 1,
              ...(serverID === undefined ? {} : { labels: { ...lease.metadata?.labels, [identityLabel]: serverID } }),
            },
            subsets: [
              {
                addresses: [{ ip }],
                ...(port === undefined ? {} : { ports: [{ name: 'https', port, protocol: 'TCP' }] }),
              },
            ],
          },
          ttlSeconds: this.#ttlSeconds,
        };
      },
      { ignoreNotFound: true },
    );
  }

  async remove({ ip, serverID }: ServerEndpoint): Promise<void> {
    try {
      await this.#storage.delete(`${this.#keyRoot}/${serverID ?? ip}`);
    } catch (error) {
      if (!(isStorageError(error) && error.code === 'KeyNotFound')) throw error;
    }
  }

  close(): Promise<void> {
    return this.#storage.close();
  }
}
