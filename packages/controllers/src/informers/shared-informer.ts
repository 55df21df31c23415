import type { KubeObject, TimerClock } from '@kubechain/apimachinery';
import type { ResourceClient } from '../client/resource-client.ts';
import { resourceKey } from '../client/resource-type.ts';
import { every } from '../clock/every.ts';
import { inTurns } from '../clock/in-turns.ts';
import { Indexer, type IndexFunction } from './indexer.ts';
import type { InformerEnd } from './informer-ends.ts';
import { keyOf } from './object-key.ts';
import { reflect, type Listing } from './reflector.ts';
import type { WithMetadata } from './with-metadata.ts';

/** Called synchronously and in order; what they throw goes to `onError`. Objects are shared: never change them. */
export interface InformerHandlers<T> {
  readonly onAdd?: (object: T) => void;
  /** Also called for resyncs, then with the same object twice. */
  readonly onUpdate?: (object: T, previous: T) => void;
  /** With the last known state; changes in between may have been missed. */
  readonly onDelete?: (object: T) => void;
}

export interface SharedInformerOptions<T extends object> {
  readonly resource: ResourceClient<T>;
  readonly clock: TimerClock;
  readonly random: () => number;
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Objects have `metadata` only. */
  readonly metadataOnly?: boolean | undefined;
  /** For handlers that ask for no period of their own. Default: never. */
  readonly resyncMs?: number;
  /** Runs once per object version, before it is kept; may change the object. Default: drops managedFields. */
  readonly transform?: (object: T) => T;
  readonly onError?: (error: unknown) => void;
  /** A watch has ended; once for each. */
  readonly onEnd?: ((end: InformerEnd) => void) | undefined;
}

const NAMESPACE_INDEX = 'namespace';

/**
 * The state of one resource as the server last told it, for any number of controllers: one list and one watch, an
 * indexed store, handlers with their own resync periods. Staleness is the watch's: milliseconds while it runs.
 * A list that is read anew takes the place of what is held in one step, once it is whole; of its objects two dozen
 * controllers are told, and others have the thread meanwhile. An object that was made again under the name of a deleted
 * one is told as deleted and added.
 */
export class SharedInformer<T extends object = KubeObject> {
  readonly #options: SharedInformerOptions<T>;
  #indexer = new Indexer<T>();
  /** What takes its place once all of a list is in it. */
  #filling: Indexer<T> | undefined;
  readonly #handlers = new Set<InformerHandlers<T>>();
  readonly #resyncs: { readonly handlers: InformerHandlers<T>; readonly periodMs: number }[] = [];
  readonly #synced = Promise.withResolvers<void>();
  #hasSynced = false;
  #running: { readonly signal: AbortSignal } | undefined;

  constructor(options: SharedInformerOptions<T>) {
    this.#options = options;
    this.#indexer.addIndex(NAMESPACE_INDEX, (object) => [namespaceOf(object)]);
  }

  /** `pods.v1` and the like, for logs. */
  get name(): string {
    return resourceKey(this.#options.resource.type);
  }

  /** True once the first list is there. */
  get hasSynced(): boolean {
    return this.#hasSynced;
  }

  get size(): number {
    return this.#indexer.size;
  }

  /** `key` is `namespace/name` or `name`. */
  get(key: string): T | undefined {
    return this.#indexer.get(key);
  }

  /** All, or those of one namespace. */
  list(namespace?: string): T[] {
    return namespace === undefined ? [...this.#indexer.values()] : this.#indexer.byIndex(NAMESPACE_INDEX, namespace);
  }

  addIndex(name: string, of: IndexFunction<T>): void {
    this.#indexer.addIndex(name, of);
    this.#filling?.addIndex(name, of);
  }

  byIndex(name: string, value: string): T[] {
    return this.#indexer.byIndex(name, value);
  }

  /** Handlers that come late get `onAdd` for all there is. Returns how to take them away again. */
  addHandlers(handlers: InformerHandlers<T>, options: { readonly resyncMs?: number } = {}): () => void {
    this.#handlers.add(handlers);
    for (const object of this.#indexer.values()) this.#call(() => handlers.onAdd?.(object));
    const periodMs = options.resyncMs ?? this.#options.resyncMs ?? 0;
    if (periodMs > 0) {
      const resync = { handlers, periodMs };
      this.#resyncs.push(resync);
      if (this.#running !== undefined) this.#resync(resync, this.#running.signal);
    }
    return () => {
      this.#handlers.delete(handlers);
    };
  }

  /** Begins to follow; returns at once. Idempotent. */
  start(signal: AbortSignal): void {
    if (this.#running !== undefined) return;
    this.#running = { signal };
    for (const resync of this.#resyncs) this.#resync(resync, signal);
    void reflect(
      {
        ...this.#options,
        store: {
          list: () => this.#list(),
          set: (object) => this.#set(keyOf(object), this.#transformed(object)),
          delete: (object) => this.#delete(keyOf(object)),
        },
      },
      signal,
    );
  }

  /** Resolves when the first list is there, or when `signal` aborts. */
  async waitForSync(signal?: AbortSignal): Promise<void> {
    if (this.#hasSynced || signal?.aborted === true) return;
    const aborted = Promise.withResolvers<void>();
    const onAbort = (): void => aborted.resolve();
    signal?.addEventListener('abort', onAbort, { once: true });
    await Promise.race([this.#synced.promise, aborted.promise]);
    signal?.removeEventListener('abort', onAbort);
  }

  #resync(
    { handlers, periodMs }: { readonly handlers: InformerHandlers<T>; readonly periodMs: number },
    signal: AbortSignal,
  ): void {
    let first = true;
    void every(
      periodMs,
      async () => {
        if (first) {
          first = false;
          return;
        }
        // Keys, since what changes meanwhile moves behind the others.
        await inTurns([...this.#indexer.keys()], (key) => {
          const object = this.#indexer.get(key);
          if (object !== undefined && this.#handlers.has(handlers))
            this.#call(() => handlers.onUpdate?.(object, object));
        });
      },
      { clock: this.#options.clock, signal },
    );
  }

  #transformed(object: T): T {
    if (this.#options.transform !== undefined) return this.#options.transform(object);
    delete (object as KubeObject).metadata?.managedFields;
    return object;
  }

  #list(): Listing<T> {
    const found = new Map<string, T>();
    return {
      add: (object) => {
        const key = keyOf(object);
        const held = this.#indexer.get(key);
        // The same version is not in memory twice while the list is read.
        found.set(key, held !== undefined && sameVersion(held, object) ? held : this.#transformed(object));
      },
      end: () => this.#replace(found),
    };
  }

  /**
   * Takes the place of what is held in one step, so that nobody sees a state that never was, and tells of it in turns.
   */
  async #replace(found: ReadonlyMap<string, T>): Promise<void> {
    const before = this.#indexer;
    const after = (this.#filling = before.emptied());
    await inTurns(found, ([key, object]) => after.set(key, object));
    this.#indexer = after;
    this.#filling = undefined;
    // Who comes later is shown what is held now.
    const told = [...this.#handlers];
    await inTurns(before.keys(), (key) => {
      if (!found.has(key)) this.#tell(told, before.get(key), undefined);
    });
    await inTurns(found, ([key, object]) => this.#tell(told, before.get(key), object));
    if (this.#hasSynced) return;
    this.#hasSynced = true;
    this.#synced.resolve();
  }

  #set(key: string, object: T): void {
    const previous = this.#indexer.get(key);
    this.#indexer.set(key, object);
    this.#tell(this.#handlers, previous, object);
  }

  #delete(key: string): void {
    const previous = this.#indexer.get(key);
    if (previous === undefined) return;
    this.#indexer.delete(key);
    this.#tell(this.#handlers, previous, undefined);
  }

  /** Those of `all` that have not left; what was made again under the name of another is told as deleted and added. */
  #tell(all: Iterable<InformerHandlers<T>>, previous: T | undefined, object: T | undefined): void {
    const anew = previous !== undefined && object !== undefined && uidOf(previous) !== uidOf(object);
    for (const handlers of all) {
      if (!this.#handlers.has(handlers)) continue;
      if (previous !== undefined && (anew || object === undefined)) this.#call(() => handlers.onDelete?.(previous));
      if (object === undefined) continue;
      this.#call(() => {
        if (previous === undefined || anew) handlers.onAdd?.(object);
        else handlers.onUpdate?.(object, previous);
      });
    }
  }

  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

function namespaceOf(object: WithMetadata): string {
  return object.metadata?.namespace ?? '';
}

function uidOf(object: WithMetadata): string | undefined {
  return object.metadata?.uid;
}

function sameVersion({ metadata: a }: WithMetadata, { metadata: b }: WithMetadata): boolean {
  return a?.resourceVersion !== undefined && a.resourceVersion === b?.resourceVersion && a.uid === b.uid;
}
