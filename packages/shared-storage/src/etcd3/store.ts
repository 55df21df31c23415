import { formatGroupResource } from '@kubechain/apimachinery';
import type { GroupResource, KubeObject } from '@kubechain/apimachinery';
import type {
  DeleteOptions,
  GetOptions,
  GuaranteedUpdateOptions,
  ListOptions,
  ListResult,
  ObjectRecord,
  ResourceCodec,
  StorageInterface,
  UpdateFunction,
  Watch,
  WatchOptions,
  WatchSink,
} from '../storage/interfaces.ts';
import { StorageError } from '../storage/errors.ts';
import type { ValueTransformer } from '../value/transformer.ts';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { count, currentRevision } from './count.ts';
import { create } from './create.ts';
import { deleteObject } from './delete.ts';
import { getList } from './get-list.ts';
import { get } from './get.ts';
import { guaranteedUpdate } from './guaranteed-update.ts';
import { LeaseBucket } from './lease-bucket.ts';
import { supportsProgressRequests } from './progress-support.ts';
import { ReadTurns } from './read-turns.ts';
import type { StoreContext } from './store-context.ts';
import { activeSpan, traced, type Span } from '../tracing/span.ts';
import { noStoreMetrics } from './store-metrics.ts';
import type { StoreMetrics } from './store-metrics.ts';
import { watch } from './watcher.ts';
import type { StoreWatch } from './watcher.ts';

export interface Etcd3StoreOptions {
  /** Shared by all resources of the process; not closed by the store. */
  readonly client: EtcdClient;
  readonly codec: ResourceCodec;
  readonly groupResource: GroupResource;
  /** Full key root without a final slash, e.g. `/registry/pods`: all keys given to the store lie under it. */
  readonly keyRoot: string;
  readonly transformer?: ValueTransformer | undefined;
  /** `keyRoot` without --etcd-prefix, e.g. `/pods`: how errors of unreadable objects name them. Default: `keyRoot`. */
  readonly resourcePrefix?: string;
  /**
   * Unreadable objects are told apart from other failures, so that they can be found and deleted unread. Default false.
   */
  readonly unsafeDeletion?: boolean;
  /** Shared by the resources that use one client, so that TTLs share leases. */
  readonly leases?: LeaseBucket | undefined;
  readonly metrics?: StoreMetrics | undefined;
  /** Highest revision known to be compacted, 0 = none. Default: never known. */
  readonly compactedRevision?: () => number;
  /** Called once, when `close` is. */
  readonly onClose?: () => void;
}

/**
 * One resource's objects in etcd: each read and write is one etcd call, nothing is cached
 * (apiserver/pkg/storage/etcd3).
 * Keys are full storage keys under `keyRoot`.
 */
export class Etcd3Store implements StorageInterface {
  readonly #context: StoreContext;
  readonly #watches = new Set<StoreWatch>();
  readonly #compactedRevision: () => number;
  readonly #onClose: () => void;
  #closed = false;

  constructor(options: Etcd3StoreOptions) {
    if (options.keyRoot === '' || options.keyRoot.endsWith('/'))
      throw new StorageError('Internal', `key root ${JSON.stringify(options.keyRoot)} must not be empty or end in "/"`);
    this.#compactedRevision = options.compactedRevision ?? (() => 0);
    this.#onClose = options.onClose ?? (() => undefined);
    this.#context = {
      client: options.client,
      codec: options.codec,
      transformer: options.transformer,
      keyRoot: options.keyRoot,
      groupResource: options.groupResource,
      leases: options.leases ?? new LeaseBucket(options.client),
      turns: new ReadTurns(),
      metrics: options.metrics ?? noStoreMetrics,
      resourcePrefix: options.resourcePrefix ?? options.keyRoot,
      unsafeDeletion: options.unsafeDeletion ?? false,
    };
  }

  create(
    key: string,
    object: KubeObject,
    options: { readonly ttlSeconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ObjectRecord> {
    return this.#step('Create etcd3', key, (span) => create(this.#context, key, { object, ...options, span }));
  }

  delete(key: string, options: DeleteOptions = {}): Promise<ObjectRecord> {
    return deleteObject(this.#context, key, options);
  }

  get(key: string, options: GetOptions = {}): Promise<ObjectRecord | undefined> {
    return get(this.#context, key, options);
  }

  getList(key: string, options: ListOptions = {}): Promise<ListResult> {
    return this.#step(`List(recursive=${options.recursive ?? true}) etcd3`, key, () =>
      getList(this.#context, key, options),
    );
  }

  async watch(key: string, options: WatchOptions, sink: WatchSink): Promise<Watch> {
    if (this.#closed) throw new StorageError('NotReady', 'the storage is closed', { key, retryAfterSeconds: 1 });
    return watch(this.#context, key, {
      options,
      sink,
      opened: (opened) => this.#watches.add(opened),
      closed: (closed) => this.#watches.delete(closed),
    });
  }

  guaranteedUpdate(key: string, update: UpdateFunction, options: GuaranteedUpdateOptions = {}): Promise<ObjectRecord> {
    return this.#step('GuaranteedUpdate etcd3', key, (span) =>
      guaranteedUpdate(this.#context, key, { update, options, span }),
    );
  }

  count(key: string, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return count(this.#context, key, options.signal);
  }

  currentRevision(options: { readonly signal?: AbortSignal } = {}): Promise<number> {
    return currentRevision(this.#context, options.signal);
  }

  compactedRevision(): number {
    return this.#compactedRevision();
  }

  async requestWatchProgress(): Promise<void> {
    if (!(await this.supportsWatchProgress())) return;
    for (const open of this.#watches) open.requestProgress();
  }

  supportsWatchProgress(): Promise<boolean> {
    return supportsProgressRequests(this.#context.client);
  }

  readinessCheck(): Promise<void> {
    return this.#closed
      ? Promise.reject(new StorageError('NotReady', 'the storage is closed', { retryAfterSeconds: 1 }))
      : Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) this.#onClose();
    this.#closed = true;
    for (const open of this.#watches) open.terminate({ kind: 'closed' });
    return Promise.resolve();
  }

  /** Names and attributes are upstream's (etcd3/store.go, 1.36). */
  #step<T>(name: string, key: string, work: (span: Span | undefined) => Promise<T>): Promise<T> {
    if (activeSpan() === undefined) return work(undefined);
    return traced(name, () => ({ key, resource: formatGroupResource(this.#context.groupResource) }), work);
  }
}
