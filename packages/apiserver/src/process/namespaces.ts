import type { KubeObject } from '@kubechain/apimachinery';
import type { NamespaceLister } from '../admission/namespace-lister.ts';
import { ObjectInformer } from '../informers/object-informer.ts';
import type { ResourceStorage } from '../informers/resource-storage.ts';

/** Namespaces as NamespaceLifecycle asks for them: from a followed cache, or live. */
export class FollowedNamespaces implements NamespaceLister {
  readonly #informer: ObjectInformer<KubeObject>;
  readonly #stored: ResourceStorage;

  constructor(stored: ResourceStorage, onError: (error: unknown) => void) {
    this.#stored = stored;
    this.#informer = new ObjectInformer<KubeObject>({
      ...stored,
      onError,
      // What admission looks at, and shows to policies: all but who manages which field.
      transform: (record) => {
        const { metadata: { managedFields: _managedFields, ...metadata } = {}, spec, status } = record.object();
        return { metadata, spec, status };
      },
    });
    this.#informer.start();
  }

  get(name: string): KubeObject | undefined {
    return this.#informer.get(name);
  }

  async getLive(name: string): Promise<KubeObject | undefined> {
    return (await this.#stored.storage.get(`${this.#stored.keyRoot}/${name}`, { ignoreNotFound: true }))?.object();
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#informer.waitForSync(signal);
  }
  stop(): void {
    this.#informer.stop();
  }
}
