import { Logger } from '@kubechain/apiserver/logging';
import { apiServerID } from '@kubechain/apiserver/options';
import { createStatusStorage } from '@kubechain/apiserver/resources';
import { storageVersionHook } from '@kubechain/apiserver/servers';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import { messageOf, whenAborted } from '@kubechain/apimachinery';
import type { Release } from '@kubechain/apimachinery';
import { storageVersionStatusStrategy } from '../registry/apiserverinternal/storageversion/resource.ts';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import type { ToldStorageVersions } from './bootstrap-options.ts';
import { StorageVersionWriter } from './storage-version-writer.ts';
import { storedResources } from './storage-versions.ts';
import type { StoredResource } from './storage-versions.ts';

const log = new Logger('bootstrap');

/** What the reference gets where its own API is off: it asks itself over HTTP. */
const notServed = 'the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)';

/** What a server with these resources stores, and those behind it and in front of it. */
export function servedStoredResources(
  { findStore, groups }: Pick<BuiltInRegistry, 'findStore' | 'groups'>,
  release: Release,
): readonly StoredResource[] {
  const served = new Set(
    groups.flatMap(({ group, deferredResources, versionedResources }) =>
      [...versionedResources, ...(deferredResources ?? [])].flatMap(([version, resources]) =>
        [...resources.keys()].map((path) => `${group}/${version}/${path}`),
      ),
    ),
  );
  return storedResources(
    release,
    ({ group, resource, version }) => served.has(`${group}/${version}/${resource}`),
    ({ group, resource, storage }) => findStore(group, resource)?.storageVersion ?? storage,
  );
}

/**
 * Tells what is stored in which version. Where that API is not served it can never be told: as in the reference,
 * nothing is written then and the server does not become ready.
 */
export function addStorageVersionHook(
  server: { readonly config: Pick<GenericAPIServer['config'], 'clock'> } & Pick<GenericAPIServer, 'addPostStartHook'>,
  { registry, storageVersions }: { readonly registry: BuiltInRegistry; readonly storageVersions: ToldStorageVersions },
): void {
  const { barrier, resources } = storageVersions;
  const store = registry.findStore('internal.apiserver.k8s.io', 'storageversions');
  const onError = (error: unknown): void => {
    log.warning('storage versions cannot be told', { error: messageOf(error) });
  };
  if (store === undefined) {
    const all = resources.flatMap(({ resources: kept }) => kept);
    server.addPostStartHook(storageVersionHook, ({ signal }) => {
      barrier.failed(all, notServed);
      onError(`${notServed}: --runtime-config=internal.apiserver.k8s.io/v1alpha1=true serves it`);
      return whenAborted(signal);
    });
    return;
  }
  const writer = new StorageVersionWriter({
    store,
    status: createStatusStorage(store, storageVersionStatusStrategy),
    clock: server.config.clock,
    apiServerID: apiServerID(),
    resources,
    barrier,
    onError,
  });
  server.addPostStartHook(storageVersionHook, ({ signal }) => writer.start(signal));
}
