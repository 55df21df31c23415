import { builtinGroups, builtinResources } from '@kubechain/apimachinery';
import { builtinResourceSpec, createResource } from '@kubechain/apiserver/resources';
import type { APIGroupInfo, RESTStorage, StorageMediaType, Store } from '@kubechain/apiserver/resources';
import type { Scheme } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { RegistryConfigError } from './registry-config-error.ts';
import type { GroupProvider } from './resource.ts';
import type { RegistryContext } from './storage-provider.ts';

/** What a process gives to its storages, besides the stores themselves. */
export type RegistryEnvironment = Omit<RegistryContext, 'store' | 'storeOf'> & {
  /** The built-in kinds with their defaults. */
  readonly scheme: Scheme;
  /** How objects are written (`--storage-media-type`); default JSON. */
  readonly storageMediaType?: StorageMediaType;
};

/** The built-in storages of one process, ready to be installed, and the stores behind them. */
export interface BuiltInRegistry {
  readonly groups: readonly APIGroupInfo[];
  readonly storeOf: (group: string, plural: string) => Store;
  /** Stops caches and watches. */
  close(): Promise<void>;
}

/** Makes the storages of all groups in every version that the reference serves. */
export function createRegistry(
  providers: readonly GroupProvider[],
  restOptions: RESTOptionsGetter,
  environment: RegistryEnvironment,
): BuiltInRegistry {
  const stores = new Map<string, Store>();
  const storeOf = (group: string, plural: string): Store => {
    const store = stores.get(`${group}/${plural}`);
    if (store === undefined) throw new RegistryConfigError(`no store for ${plural} in group ${JSON.stringify(group)}`);
    return store;
  };
  const context: RegistryContext = {
    ...environment,
    storeOf,
    store(resource) {
      const spec = builtinResourceSpec({ scheme: environment.scheme, ...resource });
      const store = createResource(spec, restOptions, {
        environment: { clock: environment.clock, ...environment.randomness },
        ...(environment.storageMediaType === undefined ? {} : { mediaType: environment.storageMediaType }),
      });
      stores.set(`${resource.group}/${resource.plural}`, store);
      return store;
    },
  };
  const groups = providers.map((provider) =>
    groupInfo(
      { ...provider, scheme: environment.scheme },
      new Map(provider.resources.flatMap((resource) => resource.provide(context))),
    ),
  );
  return {
    groups,
    storeOf,
    close: async () => {
      await Promise.all([...stores.values()].map((store) => store.close()));
    },
  };
}

const versionsByGroup = new Map(builtinGroups().map(({ group, versions }) => [group, versions]));

/** Each version gets the resources that discovery lists for it. */
function groupInfo(
  provider: GroupProvider & { readonly scheme: Scheme },
  storages: ReadonlyMap<string, RESTStorage>,
): APIGroupInfo {
  const versions = versionsByGroup.get(provider.group) ?? [];
  const versionedResources = new Map(
    versions.map((version) => {
      const served = new Set(
        builtinResources()
          .filter((row) => row.group === provider.group && row.version === version)
          .map((row) => row.resource),
      );
      return [version, new Map([...storages].filter(([path]) => served.has(path.split('/')[0] ?? '')))];
    }),
  );
  return { group: provider.group, prioritizedVersions: versions, versionedResources, scheme: provider.scheme };
}
