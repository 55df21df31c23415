import { isNotFound } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import type { KubeClient } from '../rest-client/kube-client.ts';

/** A namespace that was there is believed to be there for so long; one that is being deleted is noticed no later. */
const ttlMs = 5_000;
/** Namespaces remembered; the oldest goes. */
const maxKnown = 10_000;

/** Namespaces of the main API server, asked for one by one and remembered for five seconds. */
export class RemoteNamespaces implements NamespaceLister {
  readonly #client: Pick<KubeClient, 'get'>;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly namespace: KubeObject; readonly until: number }>();

  constructor(client: Pick<KubeClient, 'get'>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  get(name: string): KubeObject | undefined {
    const known = this.#known.get(name);
    return known !== undefined && known.until > this.#clock.now() ? known.namespace : undefined;
  }

  async getLive(name: string, signal: AbortSignal): Promise<KubeObject | undefined> {
    this.#known.delete(name);
    try {
      const namespace = await this.#client.get(`/api/v1/namespaces/${encodeURIComponent(name)}`, signal);
      if (this.#known.size >= maxKnown)
        for (const oldest of this.#known.keys()) {
          this.#known.delete(oldest);
          break;
        }
      this.#known.set(name, { namespace, until: this.#clock.now() + ttlMs });
      return namespace;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
