import type { OpenedStorage, Security } from '@kubechain/apiserver/servers';
import type { FlagValues } from '@kubechain/apiserver/options';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { flagSets } from '../flags.ts';
import type { BuiltInRegistry } from '../registry/registry-context.ts';
import type { ServiceNetwork } from './service-allocators.ts';

type Values = { readonly [K in keyof typeof flagSets]: FlagValues<(typeof flagSets)[K]> };

/** What the post-start hooks of kube-apiserver work with. */
export interface BootstrapOptions {
  readonly registry: BuiltInRegistry;
  readonly security: Security;
  readonly storage: OpenedStorage;
  readonly network: ServiceNetwork;
  /** Storage straight on etcd. */
  readonly direct: RESTOptionsGetter;
  readonly flags: Values;
  /** The store holds what every cluster begins with, and nobody, or somebody else, looks after it. */
  readonly begun: boolean;
}
