import type { KubeObject } from '@kubechain/apimachinery';

/** How admission plugins see namespaces: the informer's copy first, the store when that is not enough. */
export interface NamespaceLister {
  /** From a watch cache; may be a little stale. Must not be changed by the caller. */
  get(name: string): KubeObject | undefined;
  /** Asks the store. Rejects when it cannot be asked. */
  getLive(name: string, signal: AbortSignal): Promise<KubeObject | undefined>;
}
