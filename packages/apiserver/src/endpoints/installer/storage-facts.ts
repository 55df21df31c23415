import type { GroupVersion } from '@kubechain/apimachinery';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { APIResource } from '../discovery/api-resource.ts';
import { apiResourceOf } from './api-resource-of.ts';
import type { RouteFacts } from './deferred-route.ts';

/** What is installed of a storage before it is asked for anything. */
export interface StorageFacts {
  /** Its entry in discovery. */
  readonly entry: APIResource;
  readonly route: RouteFacts;
}

/** The facts of a storage that is served at `path`. */
export function storageFactsOf(path: string, storage: RESTStorage, served: GroupVersion): StorageFacts {
  return {
    entry: apiResourceOf(path, storage, served),
    route: routeFactsOf(storage),
  };
}

/** What its route is, without the handlers. */
export function routeFactsOf(storage: RESTStorage): RouteFacts {
  return {
    namespaced: storage.namespaced,
    ...(storage.connect === undefined ? {} : { acceptsSubpath: true, methods: new Set(storage.connectMethods) }),
  };
}
