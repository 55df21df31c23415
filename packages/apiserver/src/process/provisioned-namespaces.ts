import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { OwnWrites } from '../registry/fieldmanager/own-writes.ts';
import { builtinResourceSpec } from '../registry/generic/builtin-resource-spec.ts';
import { createResource } from '../registry/generic/create-resource.ts';
import type { Store } from '../registry/generic/store.ts';
import type { Strategy } from '../registry/generic/strategy.ts';
import { internalContext } from '../registry/rest/internal-context.ts';

const groupResource = { group: '', resource: 'namespaces' };

/** What of the strategy of namespaces counts for one that has nothing but a name. */
const strategy: Strategy = {
  prepareForCreate(namespace) {
    namespace['spec'] = { finalizers: ['kubernetes'] };
    namespace['status'] = { phase: 'Active' };
  },
  canonicalize(namespace) {
    const { metadata } = namespace;
    if (metadata !== undefined) metadata.labels = { 'kubernetes.io/metadata.name': metadata.name ?? '' };
  },
};

export interface ProvisionedNamespacesOptions {
  readonly directOptions: RESTOptionsGetter;
  readonly clock: TimerClock;
  readonly randomness: Randomness;
}

/** Makes namespaces in a server that does not serve them, as the one that does would. Opened by the first. */
export class ProvisionedNamespaces {
  readonly #options: ProvisionedNamespacesOptions;
  #store: Store | undefined;

  constructor(options: ProvisionedNamespacesOptions) {
    this.#options = options;
  }

  /** @throws StatusError AlreadyExists */
  readonly create = async (name: string, signal: AbortSignal): Promise<void> => {
    const { clock, directOptions, randomness } = this.#options;
    this.#store ??= createResource(
      { ...builtinResourceSpec({ group: '', plural: 'namespaces' }), strategy },
      directOptions,
      { environment: { clock, ...randomness } },
    );
    const own = new OwnWrites(this.#store, { scheme: this.#store.spec.scheme, clock });
    await own.create(internalContext({ groupResource, namespace: '', signal }), {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
  };

  async stop(): Promise<void> {
    await this.#store?.storage.close();
  }
}
