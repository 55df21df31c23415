import type { GroupResource } from '@kubechain/apimachinery';
import { formatGroupResource } from '@kubechain/apimachinery';

/**
 * Which built-in resources a server has not told the storage version of yet: nobody may write them until then, so that
 * who migrates what is stored can go by what servers say (apiserver/storageversion/manager.go, 1.36).
 */
export class StorageVersionBarrier {
  /** By name (`deployments.apps`), what went wrong the last time; undefined before the first try has ended. */
  readonly #pending: Map<string, string | undefined>;

  /** @param resources what is to be told of */
  constructor(resources: Iterable<GroupResource>) {
    this.#pending = new Map([...resources].map((resource) => [formatGroupResource(resource), undefined]));
  }

  /** Nothing is left to tell. */
  get completed(): boolean {
    return this.#pending.size === 0;
  }

  isPending(resource: GroupResource): boolean {
    return this.#pending.has(formatGroupResource(resource));
  }

  /** What telling of a pending resource failed with, as Go prints it. */
  lastError(resource: GroupResource): string {
    return this.#pending.get(formatGroupResource(resource)) ?? '<nil>';
  }

  /** The resources may be written from now on. */
  told(resources: Iterable<GroupResource>): void {
    for (const resource of resources) this.#pending.delete(formatGroupResource(resource));
  }

  /** They are still to be told of; nothing changes for those that have been. */
  failed(resources: Iterable<GroupResource>, error: string): void {
    for (const resource of resources) {
      const name = formatGroupResource(resource);
      if (this.#pending.has(name)) this.#pending.set(name, error);
    }
  }
}
