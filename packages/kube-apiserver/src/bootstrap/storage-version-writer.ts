import { formatTime, isAlreadyExists, isConflict, isNotFound, messageOf } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { RESTContext, RESTStorage, Store } from '@kubechain/apiserver/resources';
import type { StorageVersionBarrier } from '@kubechain/apiserver/servers';
import { isDeepStrictEqual } from 'node:util';
import type { StorageVersion } from '@kubechain/component-helpers';
import { repeat } from './repeat.ts';
import { withServer } from './storage-versions.ts';
import type { StoredResource } from './storage-versions.ts';

/** How often what this server says is looked at again, in case that somebody has changed it. */
const intervalMs = 600_000;
const apiVersion = 'internal.apiserver.k8s.io/v1alpha1';
const kind = 'StorageVersion';

export interface StorageVersionWriterOptions {
  readonly store: Store;
  /** storageversions/status over the same store. */
  readonly status: RESTStorage;
  readonly clock: TimerClock;
  /** By its identity lease. */
  readonly apiServerID: string;
  readonly resources: readonly StoredResource[];
  /** Told what may be written from now on. */
  readonly barrier: StorageVersionBarrier;
  readonly onError: (error: unknown) => void;
}

/** Tells in StorageVersions what this server stores (feature gate StorageVersionAPI). */
export class StorageVersionWriter {
  readonly #options: StorageVersionWriterOptions;
  readonly #writes: OwnWrites;
  readonly #statusWrites: OwnWrites;

  constructor(options: StorageVersionWriterOptions) {
    this.#options = options;
    const { clock, status, store } = options;
    this.#writes = new OwnWrites(store, { scheme: store.spec.scheme, clock });
    this.#statusWrites = new OwnWrites(status, { scheme: store.spec.scheme, clock, subresource: 'status' });
  }

  /** Resolves when all is told for the first time; looks again until `signal` aborts. */
  start(signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.#options;
    return repeat(() => this.#tellAll(signal), { clock, intervalMs, retryMs: 1_000, signal, onError });
  }

  async #tellAll(signal: AbortSignal): Promise<void> {
    const context = internalContext({
      groupResource: { group: 'internal.apiserver.k8s.io', resource: 'storageversions' },
      signal,
    });
    const { barrier, resources } = this.#options;
    let failure: { readonly error: unknown } | undefined;
    // One that cannot be told of holds no other back.
    for (const resource of resources) {
      try {
        while (!(await this.#tell(context, resource))) signal.throwIfAborted();
        barrier.told(resource.resources);
      } catch (error) {
        signal.throwIfAborted();
        barrier.failed(resource.resources, messageOf(error));
        failure = { error };
      }
    }
    if (failure !== undefined) throw failure.error;
  }

  /** Whether it is told; another server may have been faster. */
  async #tell(context: RESTContext, { name, versions }: StoredResource): Promise<boolean> {
    const { apiServerID, clock, store } = this.#options;
    try {
      const found = await this.#find(context, name);
      const now = formatTime(clock.now());
      const status = withServer(found?.status, { apiServerID, ...versions }, now);
      if (found === undefined) await this.#writes.create(context, { apiVersion, kind, metadata: { name }, spec: {} });
      else if (isDeepStrictEqual(status, found.status)) return true;
      const current = found ?? ((await store.get(context, name, { resourceVersion: '' })).object() as StorageVersion);
      await this.#statusWrites.update(context, { ...structuredClone(current), status });
      return true;
    } catch (error) {
      if (isAlreadyExists(error) || isConflict(error)) return false;
      throw error;
    }
  }

  async #find(context: RESTContext, name: string): Promise<StorageVersion | undefined> {
    try {
      return (await this.#options.store.get(context, name, { resourceVersion: '' })).object() as StorageVersion;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
