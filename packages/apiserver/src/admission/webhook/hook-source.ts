import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorages } from '../../informers/resource-storage.ts';
import type { WebhookClientOptions } from '../../webhook/webhook-client.ts';
import type { StaticManifests } from '../manifests/static-manifests.ts';
import { hooksOf, type Hook, type StoredWebhook } from './hook.ts';

export interface HookSourceOptions extends WebhookClientOptions {
  readonly storages: ResourceStorages;
  readonly onError: (error: unknown) => void;
  /** Webhooks of files, which come before all others. Default: none. */
  readonly manifests?: Pick<StaticManifests<readonly Hook[]>, 'current' | 'stop'> | undefined;
}

/** All webhooks of one kind of configuration, followed from storage: by the configuration's name, then in its order. */
export class HookSource {
  readonly #informer: ObjectInformer<readonly Hook[]>;
  readonly #manifests: HookSourceOptions['manifests'];
  #sorted: readonly Hook[] | undefined = undefined;
  #all:
    | { readonly sorted: readonly Hook[]; readonly first: readonly Hook[]; readonly hooks: readonly Hook[] }
    | undefined;

  constructor(
    resource: 'mutatingwebhookconfigurations' | 'validatingwebhookconfigurations',
    { manifests, storages, onError, ...client }: HookSourceOptions,
  ) {
    this.#manifests = manifests;
    this.#informer = new ObjectInformer<readonly Hook[]>({
      ...storages.get('admissionregistration.k8s.io', resource),
      onError,
      transform: (record) => {
        const { metadata, webhooks } = record.object();
        return hooksOf(metadata?.name ?? '', (webhooks ?? []) as readonly StoredWebhook[], client);
      },
    });
    this.#informer.onChange((change) => {
      this.#sorted = undefined;
      for (const { client } of change.previous ?? []) client.close();
    });
    this.#informer.start();
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  hooks(): readonly Hook[] {
    const sorted = (this.#sorted ??= [...this.#informer.values()]
      .sort((a, b) => ((a[0]?.configuration ?? '') < (b[0]?.configuration ?? '') ? -1 : 1))
      .flat());
    const first = this.ofManifests();
    if (first.length === 0) return sorted;
    if (this.#all?.sorted !== sorted || this.#all.first !== first)
      this.#all = { sorted, first, hooks: [...first, ...sorted] };
    return this.#all.hooks;
  }

  /** Those of files alone. */
  ofManifests(): readonly Hook[] {
    return this.#manifests?.current ?? [];
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#informer.waitForSync(signal);
  }

  stop(): void {
    this.#informer.stop();
    for (const { client } of this.hooks()) client.close();
    this.#manifests?.stop();
  }
}
