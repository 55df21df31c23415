import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord, StorageInterface, WatchSink } from '@kubechain/shared-storage';
import type { ResourceStorages } from '../../informers/resource-storage.ts';

/** Storages of objects that a test writes: each is followed as from a store. */
export class ListedStorages implements ResourceStorages {
  readonly #objects = new Map<string, Map<string, ObjectRecord>>();
  readonly #sinks = new Map<string, Set<WatchSink>>();
  #revision = 0;

  /** How many follow a resource. */
  followers(resource: string): number {
    return this.#sinks.get(resource)?.size ?? 0;
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
    const watch = async (_key: string, _options: object, sink: WatchSink): Promise<object> => {
      const sinks = this.#sinks.get(resource) ?? new Set();
      this.#sinks.set(resource, sinks.add(sink));
      await Promise.resolve();
      for (const record of this.#of(resource).values())
        sink.event({ type: 'ADDED', record } as Parameters<WatchSink['event']>[0]);
      sink.event({ type: 'BOOKMARK', revision: this.#revision, initialEventsEnd: true } as Parameters<
        WatchSink['event']
      >[0]);
      return {
        stop: () => {
          sinks.delete(sink);
        },
        drained: () => undefined,
      };
    };
    return { keyRoot: `/${resource}`, storage: { watch } as unknown as StorageInterface };
  }

  close(): Promise<void> {
    return Promise.resolve();
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
