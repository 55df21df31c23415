import { builtinScheme, type Clock, type KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorage } from '../../informers/resource-storage.ts';
import type { FieldManager } from '../../registry/fieldmanager/field-manager.ts';
import { createFieldManager } from '../../registry/fieldmanager/managed-fields.ts';

/** A ResourceQuota as far as admission reads it. */
export interface StoredQuota extends KubeObject {
  readonly spec?: {
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

const kind = { group: '', version: 'v1', kind: 'ResourceQuota' } as const;

/** What a source of quotas needs beside their storage. */
export interface QuotaSourceOptions {
  /** When a charge was made, for managedFields. */
  readonly clock: Clock;
  /** Told what keeps quotas from being followed. */
  readonly onError: (error: unknown) => void;
}

/**
 * The quotas of each namespace, followed from storage, which is also where usage is written: as field manager
 * `kube-apiserver` of the status, since the reference charges through its own API.
 */
export class QuotaSource {
  readonly #stored: ResourceStorage;
  readonly #fields: FieldManager;
  readonly #informer: ObjectInformer<StoredQuota>;
  readonly #byNamespace = new Map<string, Map<string, StoredQuota>>();

  constructor(stored: ResourceStorage, { clock, onError }: QuotaSourceOptions) {
    this.#stored = stored;
    this.#fields = createFieldManager({
      scheme: builtinScheme(),
      storage: { kind: kind.kind, memoryVersion: kind, namespaced: true, singularName: 'resourcequota' },
      kind,
      subresource: 'status',
      clock,
      custom: false,
    });
    this.#informer = new ObjectInformer<StoredQuota>({ ...stored, transform: (record) => record.object(), onError });
    this.#informer.onChange((change) => {
      const namespace = change.key.slice(0, change.key.indexOf('/'));
      let quotas = this.#byNamespace.get(namespace);
      if (change.kind === 'set') {
        if (quotas === undefined) this.#byNamespace.set(namespace, (quotas = new Map()));
        quotas.set(change.key, change.value);
      } else if (quotas?.delete(change.key) === true && quotas.size === 0) this.#byNamespace.delete(namespace);
    });
    this.#informer.start();
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  /** By name; may be some milliseconds old. */
  of(namespace: string): readonly StoredQuota[] {
    const quotas = this.#byNamespace.get(namespace);
    return quotas === undefined ? [] : [...quotas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, quota]) => quota);
  }

  /**
   * Writes the used amounts that `charge` makes of the stored quota; a quota that is gone limits nothing.
   * @throws whatever `charge` does
   */
  async charge(
    namespace: string,
    name: string,
    charge: (quota: StoredQuota) => Record<string, string> | undefined,
  ): Promise<void> {
    await this.#stored.storage.guaranteedUpdate(
      `${this.#stored.keyRoot}/${namespace}/${name}`,
      async ({ object = {} }) => {
        const quota: StoredQuota = object;
        const used = charge(quota);
        if (used === undefined) return { object: quota };
        const charged = { ...quota, metadata: { ...quota.metadata }, status: { ...quota.status, used } };
        return { object: await this.#fields.update(quota, charged, 'kube-apiserver') };
      },
      {},
    );
  }

  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#informer.waitForSync(signal);
  }
  stop(): void {
    this.#informer.stop();
  }
}
