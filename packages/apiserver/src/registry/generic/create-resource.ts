import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { RESTStorage } from '../rest/storage.ts';
import type { ResourceSpec } from './resource-spec.ts';
import type { Store } from './store.ts';
import type { Strategy } from './strategy.ts';

/** Makes the storage of one resource: codec, decorated storage, generic Store. */
export function createResource(spec: ResourceSpec, restOptions: RESTOptionsGetter): Store {
  void spec; void restOptions;
  throw new TypeError('not built yet');
}

/** The `status` subresource of a resource: get, update and patch over the same objects with a strategy of its own. */
export function createStatusStorage(store: Store, strategy: Strategy): RESTStorage {
  void store; void strategy;
  throw new TypeError('not built yet');
}
