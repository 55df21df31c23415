import { isNotFound } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { KeptAnswers } from '../rest-client/kept-answers.ts';
import type { KubeClient } from '../rest-client/kube-client.ts';

/** A namespace that was there is believed to be there for so long; one that is being deleted is noticed no later. */
const ttlMs = 5_000;
/** Namespaces remembered; the oldest goes. */
const maxKnown = 10_000;

/** Namespaces of the main API server, asked for one by one and remembered for five seconds. */
export class RemoteNamespaces implements NamespaceLister {
  readonly #client: Pick<KubeClient, 'get'>;
  readonly #known: KeptAnswers<KubeObject>;

  constructor(client: Pick<KubeClient, 'get'>, clock: Clock) {
    this.#client = client;
    this.#known = new KeptAnswers({ limit: maxKnown, clock });
  }

  get(name: string): KubeObject | undefined {
    return this.#known.get(name);
  }

  async getLive(name: string, signal: AbortSignal): Promise<KubeObject | undefined> {
    this.#known.delete(name);
    try {
      const namespace = await this.#client.get(`/api/v1/namespaces/${encodeURIComponent(name.toWellFormed())}`, signal);
      this.#known.keep(name, namespace, ttlMs);
      return namespace;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
