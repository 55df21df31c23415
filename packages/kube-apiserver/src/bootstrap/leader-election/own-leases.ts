import type { TimerClock } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { OwnWrites, internalContext, isRecord } from '@kubechain/apiserver/resources';
import type { RESTContext, RESTResult, Store } from '@kubechain/apiserver/resources';
import type { Leases } from '@kubechain/component-helpers';

/** The leases in this server's storage. */
export class OwnLeases implements Leases {
  readonly #store: Store;
  readonly #writes: OwnWrites;

  /** `store`: of leases. */
  constructor(store: Store, clock: TimerClock) {
    this.#store = store;
    this.#writes = new OwnWrites(store, { scheme: store.spec.scheme, clock });
  }

  async get({ name, namespace }: { readonly namespace: string; readonly name: string }): Promise<Lease> {
    return objectOf(await this.#store.get(contextOf(namespace), name, { resourceVersion: '' }));
  }

  async create(lease: Lease): Promise<Lease> {
    return objectOf(await this.#writes.create(contextOf(lease.metadata?.namespace), kindOfLease(lease)));
  }

  async update(lease: Lease): Promise<Lease> {
    return objectOf(await this.#writes.update(contextOf(lease.metadata?.namespace), kindOfLease(lease)));
  }
}

function objectOf(result: RESTResult): Lease {
  return (isRecord(result) ? result.object() : result) as Lease;
}

function kindOfLease(lease: Lease): Lease {
  return { ...lease, apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
}

function contextOf(namespace = ''): RESTContext {
  return internalContext({ groupResource: { group: 'coordination.k8s.io', resource: 'leases' }, namespace });
}
