import { isNotFound } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { isRecord } from '@kubechain/apiserver/resources';
import type { RESTContext, Store, StoreHooks } from '@kubechain/apiserver/resources';
import { keepAllocatedValues, normalizeClusterIPs } from '../../service-allocation/linked-fields.ts';
import { allocateForService, releaseAll } from '../../service-allocation/service-allocation.ts';
import type { ServiceAllocators } from '../../service-allocation/service-allocation.ts';

/**
 * What services do around storage: addresses and ports come before a write and go after a delete, with the endpoints
 * (pkg/registry/core/service/storage, 1.36). `strictAddresses`: whether these have to be in their canonical form.
 */
export function serviceHooks(
  allocators: ServiceAllocators,
  endpoints: () => Store,
  strictAddresses = true,
): StoreHooks {
  const call = (
    { namespace }: RESTContext,
    object: KubeObject,
    dryRun: boolean,
  ): Parameters<typeof allocateForService>[2] => ({
    reference: { namespace, name: object.metadata?.name ?? '' },
    dryRun,
    strictAddresses,
  });
  return {
    async beginCreate(object, context, { dryRun }) {
      const service = object as Service;
      normalizeClusterIPs(service, undefined);
      return (await allocateForService(allocators, { service }, call(context, object, dryRun))).finish;
    },
    async beginUpdate(object, oldObject, context, { dryRun }) {
      const service = object as Service;
      const old = oldObject as Service;
      keepAllocatedValues(service, old);
      normalizeClusterIPs(service, old);
      return (await allocateForService(allocators, { service, old }, call(context, object, dryRun))).finish;
    },
    async afterDelete(deleted, context, { dryRun }) {
      if (dryRun) return;
      const service = (isRecord(deleted) ? deleted.object() : deleted) as Service;
      const reference = { namespace: service.metadata?.namespace ?? '', name: service.metadata?.name ?? '' };
      try {
        // So that a service that comes back under this name does not begin with the endpoints of the old one.
        await endpoints().delete({ ...context, namespace: reference.namespace }, reference.name, () => undefined, {
          dryRun: false,
        });
      } catch (error) {
        if (!isNotFound(error)) allocators.onError(error);
      }
      await releaseAll(allocators, service, reference);
    },
  };
}
