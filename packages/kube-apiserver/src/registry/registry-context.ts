import { builtinGroups, builtinResources, builtinScheme } from '@kubechain/apimachinery';
import type { ResourceFacts } from '@kubechain/apimachinery';
import { createResource } from '@kubechain/apiserver';
import type { APIGroupInfo, RESTStorage, ResourceSpec, Store } from '@kubechain/apiserver';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { RegistryConfigError } from './registry-config-error.ts';
import type { BuiltinResource, GroupProvider, RegistryContext } from './storage-provider.ts';

/** What a process gives to its storages, besides the stores themselves. */
export type RegistryEnvironment = Omit<RegistryContext, 'store' | 'storeOf'>;

/** The built-in storages of one process, ready to be installed, and the stores behind them. */
export interface BuiltInRegistry {
  readonly groups: readonly APIGroupInfo[];
  storeOf(group: string, plural: string): Store;
}

/** Makes the storages of all groups in every version that the reference serves. */
export function createRegistry(providers: readonly GroupProvider[], restOptions: RESTOptionsGetter, environment: RegistryEnvironment): BuiltInRegistry {
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
      const store = createResource(resourceSpec(resource), restOptions);
      stores.set(`${resource.group}/${resource.plural}`, store);
      return store;
    },
  };
  const groups = providers.map((provider) => groupInfo(provider, new Map(provider.resources.flatMap((resource) => resource(context)))));
  return { groups, storeOf };
}

const versionsByGroup = new Map(builtinGroups().map(({ group, versions }) => [group, versions]));

/** A resource's literal completed with the facts of discovery and storage. */
function resourceSpec(resource: BuiltinResource): ResourceSpec {
  const facts = factsOf(resource.group, resource.plural);
  const memoryVersion = resource.memoryVersion ?? (facts.storage === undefined ? { group: facts.group, version: facts.version } : { group: facts.storage.group, version: facts.storage.version });
  return {
    scheme: builtinScheme(),
    kind: facts.kind,
    singular: facts.singular,
    namespaced: facts.namespaced,
    ...(facts.listKind === undefined ? {} : { listKind: facts.listKind }),
    ...(facts.shortNames === undefined ? {} : { shortNames: facts.shortNames }),
    ...(facts.categories === undefined ? {} : { categories: facts.categories }),
    memoryVersion,
    storageVersion: memoryVersion,
    ...resource,
  };
}

function factsOf(group: string, plural: string): ResourceFacts {
  const version = versionsByGroup.get(group)?.find((candidate) => builtinResources().some((row) => row.group === group && row.version === candidate && row.resource === plural));
  const facts = builtinResources().find((row) => row.group === group && row.version === version && row.resource === plural);
  if (facts === undefined) throw new RegistryConfigError(`${plural} in group ${JSON.stringify(group)} is not a built-in resource`);
  return facts;
}

/** Each version gets the resources that discovery lists for it. */
function groupInfo(provider: GroupProvider, storages: ReadonlyMap<string, RESTStorage>): APIGroupInfo {
  const versions = versionsByGroup.get(provider.group) ?? [];
  const versionedResources = new Map(versions.map((version) => {
    const served = new Set(builtinResources().filter((row) => row.group === provider.group && row.version === version).map((row) => row.resource));
    return [version, new Map([...storages].filter(([path]) => served.has(path.split('/')[0] ?? '')))];
  }));
  return { group: provider.group, prioritizedVersions: versions, versionedResources, scheme: builtinScheme() };
}
