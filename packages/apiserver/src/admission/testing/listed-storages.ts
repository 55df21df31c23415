import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord, StorageInterface, WatchSink } from '@kubechain/shared-storage';
import type { ResourceStorages } from '../../informers/resource-storage.ts';

/** Storages of objects that a test writes: each is followed as from a store. */
export class ListedStorages implements ResourceStorages {
  readonly #objects = new Map<string, Map<string, ObjectRecord>>();
  readonly #sinks = new Map<string, Set<WatchSink>>();
  /** Signals of those that have listed a resource, by resource. */
  readonly #followers = new Map<string, Set<AbortSignal>>();
  #revision = 0;

  /** How many follow a resource. */
  followers(resource: string): number {
    return [...this.#followersOf(resource)].filter((signal) => !signal.aborted).length;
  }

  set(resource: string, object: KubeObject): void {
    const record = this.#record(resource, object);
    this.#of(resource).set(record.key, record);
    for (const sink of this.#sinks.get(resource) ?? [])
      sink.event({ type: 'MODIFIED', record } as Parameters<WatchSink['event']>[0]);
  }

  delete(resource: string, object: KubeObject): void {
    const record = this.#record(resource, object);
    this.#of(resource).delete(record.key);
    for (const sink of this.#sinks.get(resource) ?? [])
      sink.event({ type: 'DELETED', record } as Parameters<WatchSink['event']>[0]);
  }

  get(_group: string, resource: string): { readonly storage: StorageInterface; readonly keyRoot: string } {
    const getList: StorageInterface['getList'] = (_key, { signal } = {}) => {
      if (signal !== undefined) this.#followersOf(resource).add(signal);
      return Promise.resolve({
        items: [...this.#of(resource).values()],
        resourceVersion: String(this.#revision),
        continue: '',
      });
    };
    const watch: StorageInterface['watch'] = (_key, { resourceVersion = '0' }, sink) => {
      const sinks = this.#sinks.get(resource) ?? new Set();
      this.#sinks.set(resource, sinks.add(sink));
      for (const record of this.#of(resource).values())
        if (record.revision > Number(resourceVersion)) sink.event({ type: 'MODIFIED', record });
      return Promise.resolve({
        stop: () => {
          sinks.delete(sink);
        },
        drained: () => undefined,
      });
    };
    return { keyRoot: `/${resource}`, storage: { getList, watch } as unknown as StorageInterface };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #followersOf(resource: string): Set<AbortSignal> {
    const known = this.#followers.get(resource) ?? new Set<AbortSignal>();
    this.#followers.set(resource, known);
    return known;
  }

  #of(resource: string): Map<string, ObjectRecord> {
    const known = this.#objects.get(resource) ?? new Map<string, ObjectRecord>();
    this.#objects.set(resource, known);
    return known;
  }

  #record(resource: string, object: KubeObject): ObjectRecord {
    const { labels, name = '', namespace = '' } = object.metadata ?? {};
    return {
      key: `/${resource}/${namespace === '' ? '' : `${namespace}/`}${name}`,
      revision: ++this.#revision,
      json: new Uint8Array(),
      attributes: { name, namespace, labels, fields: {} },
      object: () => structuredClone(object),
    };
  }
}
