import type { StorageInterface } from '@kubechain/shared-storage';
import type { RESTStorage } from '../rest/storage.ts';
import type { ResourceSpec } from './resource-spec.ts';

/** The generic registry: every verb over one StorageInterface, with a Strategy for what is special (registry/generic/registry/store.go). */
export interface Store extends RESTStorage {
  readonly spec: ResourceSpec;
  readonly storage: StorageInterface;
}
