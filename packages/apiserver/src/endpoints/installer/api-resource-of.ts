import { createHash } from 'node:crypto';
import type { GroupVersion } from '@kubechain/apimachinery';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { APIResource } from '../discovery/api-resource.ts';
import { servedVerbs } from './verbs.ts';

/** The discovery entry of one resource or subresource. */
export function apiResourceOf(path: string, storage: RESTStorage, served: GroupVersion): APIResource {
  const isSubresource = path.includes('/');
  const own = storage.groupVersionKind?.(served);
  const shortNames = storage.shortNames ?? [];
  const categories = storage.categories ?? [];
  return {
    name: path,
    singularName: isSubresource ? '' : storage.singularName,
    namespaced: storage.namespaced,
    ...(own === undefined ? {} : { ...(own.group === '' ? {} : { group: own.group }), version: own.version }),
    kind: own?.kind ?? storage.kind,
    verbs: servedVerbs(storage),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(isSubresource || storage.storageVersion === undefined
      ? {}
      : { storageVersionHash: storageVersionHash(storage.storageVersion, storage.kind) }),
  };
}

/** Tells clients when the version that objects are stored in changes (endpoints/discovery/storageversionhash.go). */
export function storageVersionHash(storageVersion: GroupVersion, kind: string): string {
  return createHash('sha256')
    .update(`${storageVersion.group}/${storageVersion.version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
