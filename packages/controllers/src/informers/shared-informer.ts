import type { KubeObject, ObjectMeta, TimerClock } from '@kubechain/apimachinery';
import type { ResourceClient } from '../client/resource-client.ts';
import { resourceKey } from '../client/resource-type.ts';
import { every } from '../clock/every.ts';
import { inTurns } from '../clock/in-turns.ts';
import { Indexer, type IndexFunction } from './indexer.ts';
import type { InformerEnd } from './informer-ends.ts';
import type { HeapRoom } from './heap-room.ts';
import { keyOf } from './object-key.ts';
import { weightOf } from './object-weight.ts';
import { reflect, type Listing } from './reflector.ts';

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
  /** In which objects have to find room. Default: there always is. */
  readonly room?: HeapRoom | undefined;
  readonly onError?: (error: unknown) => void;
  /** A watch has ended; once for each. */
  readonly onEnd?: ((end: InformerEnd) => void) | undefined;
}

const NAMESPACE_INDEX = 'namespace';

/** Objects are not held, because their namespace has too much in memory. */
class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
  constructor(namespace: string) {
    super(`there is no memory for more of what is in namespace ${JSON.stringify(namespace)}: some of it is left out`);
  }
}

/**
 * The state of one resource as the server last told it, for any number of controllers: one list and one watch, an
 * indexed store, handlers with their own resync periods. Staleness is the watch's: milliseconds while it runs.
 * Objects that find no room in the heap are left out, or stay as they were, until there is room at a later list.
 */
export class SharedInformer<T extends object = KubeObject> {
  readonly #options: SharedInformerOptions<T>;
  readonly #indexer = new Indexer<T>();
  readonly #handlers = new Set<InformerHandlers<T>>();
  readonly #resyncs: { readonly handlers: InformerHandlers<T>; readonly periodMs: number }[] = [];
  readonly #synced = Promise.withResolvers<void>();
  /** By key, where there is a room to be found. */
  readonly #weights = new Map<string, number>();
  #complete = true;
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
    const isComplete = (): boolean => this.#complete;
    void reflect(
      {
        ...this.#options,
        store: {
          get complete() {
            return isComplete();
          },
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
    const found = new Set<string>();
    this.#complete = true;
    return {
      add: (object) => {
        const key = keyOf(object);
        found.add(key);
        const known = this.#indexer.get(key);
        // The same version is not held twice while the list is read.
        if (known !== undefined && sameVersion(known, object)) this.#tell(known, known);
        else this.#set(key, this.#transformed(object));
      },
      end: () => {
        for (const key of this.#indexer.keys()) if (!found.has(key)) this.#delete(key);
        if (this.#hasSynced) return;
        this.#hasSynced = true;
        this.#synced.resolve();
      },
    };
  }

  #set(key: string, object: T): void {
    if (!this.#hasRoom(key, object)) return;
    const previous = this.#indexer.get(key);
    this.#indexer.set(key, object);
    this.#tell(object, previous);
  }

  #delete(key: string): void {
    const previous = this.#indexer.get(key);
    if (previous === undefined) return;
    this.#indexer.delete(key);
    this.#options.room?.take(namespaceOf(previous), 0, this.#weights.get(key));
    this.#weights.delete(key);
    for (const handlers of this.#handlers) this.#call(() => handlers.onDelete?.(previous));
  }

  #tell(object: T, previous: T | undefined): void {
    for (const handlers of this.#handlers) {
      this.#call(() => {
        if (previous === undefined) handlers.onAdd?.(object);
        else handlers.onUpdate?.(object, previous);
      });
    }
  }

  #hasRoom(key: string, object: T): boolean {
    const { onError, room } = this.#options;
    if (room === undefined) return true;
    const weight = weightOf(object);
    const fits = room.take(namespaceOf(object), weight, this.#weights.get(key));
    if (fits) this.#weights.set(key, weight);
    else {
      // Told once for each list: there may be thousands.
      if (this.#complete) onError?.(new NoRoomError(namespaceOf(object)));
      this.#complete = false;
    }
    return fits;
  }

  #call(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.#options.onError?.(error);
    }
  }
}

/** What an object has, whatever its type says. */
interface WithMetadata {
  readonly metadata?: ObjectMeta | undefined;
}

function namespaceOf(object: WithMetadata): string {
  return object.metadata?.namespace ?? '';
}

function sameVersion({ metadata: a }: WithMetadata, { metadata: b }: WithMetadata): boolean {
  return a?.resourceVersion !== undefined && a.resourceVersion === b?.resourceVersion && a.uid === b.uid;
}
