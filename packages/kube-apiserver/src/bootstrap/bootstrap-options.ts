import type { OpenedStorage, Security, StorageVersionBarrier } from '@kubechain/apiserver/servers';
import type { FlagValues } from '@kubechain/apiserver/options';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { flagSets } from '../flags.ts';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import type { StoredResource } from './storage-versions.ts';
import type { ServiceNetwork } from './service-allocators.ts';

type Values = { readonly [K in keyof typeof flagSets]: FlagValues<(typeof flagSets)[K]> };

/** What is to be told of (feature gate StorageVersionAPI), and who may not write it before. */
export interface ToldStorageVersions {
  readonly resources: readonly StoredResource[];
  readonly barrier: StorageVersionBarrier;
}

/** What the post-start hooks of kube-apiserver work with. */
export interface BootstrapOptions {
  readonly registry: BuiltInRegistry;
  readonly security: Security;
  readonly storage: OpenedStorage;
  readonly network: ServiceNetwork;
  /** Storage straight on etcd. */
  readonly direct: RESTOptionsGetter;
  readonly flags: Values;
  /** Undefined where nothing is told. */
  readonly storageVersions: ToldStorageVersions | undefined;
  /** The store holds what every cluster begins with, and nobody, or somebody else, looks after it. */
  readonly begun: boolean;
}
