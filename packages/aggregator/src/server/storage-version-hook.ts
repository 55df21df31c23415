import { apiServicesResource } from '../apiservice/api-service.ts';
import { Logger } from '@kubechain/apiserver/logging';
import { apiServerID } from '@kubechain/apiserver/options';
import { awaitStorageVersion, storageVersionHook } from '@kubechain/apiserver/servers';
import type { GenericAPIServer, StorageVersionBarrier, StoredResources } from '@kubechain/apiserver/servers';
import { messageOf } from '@kubechain/apimachinery';

const log = new Logger('bootstrap');

/** Lets APIServices be written when kube-apiserver, the next in the chain, has told how they are stored. */
export function addStorageVersionHook(
  server: GenericAPIServer,
  { barrier, stored }: { readonly barrier: StorageVersionBarrier; readonly stored: StoredResources },
): void {
  const onError = (error: unknown): void => {
    log.warning('storage version of APIServices cannot be read', { error: messageOf(error) });
  };
  server.addPostStartHook(storageVersionHook, async ({ signal }) => {
    await awaitStorageVersion({
      storage: stored.get('internal.apiserver.k8s.io', 'storageversions'),
      name: `${apiServicesResource.group}.${apiServicesResource.resource}`,
      apiServerID: apiServerID(),
      clock: server.config.clock,
      signal,
      onError,
    });
    if (!signal.aborted) barrier.told([apiServicesResource]);
  });
}
