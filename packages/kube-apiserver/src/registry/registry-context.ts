import { builtinRelease, compatibleStorageVersion, removedResources } from '@kubechain/apimachinery';
import { builtinResourceSpec, createResource } from '@kubechain/apiserver/resources';
import type { APIGroupInfo, Commons, RESTStorage, StorageMediaType, Store } from '@kubechain/apiserver/resources';
import { servedResources } from '@kubechain/apiserver/options';
import type { ServesResource } from '@kubechain/apiserver/options';
import type { GroupVersion, Release, ResourceFacts, Scheme } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { legacyInstallation } from './legacy/legacy-installation.ts';
import type { InstalledLegacyVersion } from './legacy/legacy-installation.ts';
import { tellingOf } from './telling.ts';
import { RegistryConfigError } from './registry-config-error.ts';
import type { BuiltInResource, GroupProvider, ResourceDefinition } from './resource.ts';
import { ProvidedLazily, registryShape, shapeOf } from './provided-lazily.ts';
import type { RegistryContext } from './storage-provider.ts';

/** What a process gives to its storages, besides the stores themselves. */
export type RegistryEnvironment = Omit<RegistryContext, 'store' | 'storeOf' | 'release'> & {
  /** Whose resources these are; default: the checked-in tables' release. */
  readonly release?: Release;
  /** The built-in kinds with their defaults. */
  readonly scheme: Scheme;
  /** How objects are written (`--storage-media-type`); default JSON. */
  readonly storageMediaType?: StorageMediaType;
  /** What `--runtime-config` asks to be served; default what it says when it is not given. */
  readonly serves?: ServesResource;
  /** Release of the oldest servers that must be able to read what is stored; default as the release has it. */
  readonly minCompatible?: string;
  /** What registries of servers that are made alike share: then storages are made when they are first asked for. */
  readonly commons?: Commons | undefined;
  /** What `--legacy-apis` asks for, of which `--runtime-config` may take out again; default nothing. */
  readonly servesLegacy?: ServesResource;
};

/** The built-in storages of one process, ready to be installed, and the stores behind them. */
export interface BuiltInRegistry {
  readonly groups: readonly APIGroupInfo[];
  readonly storeOf: (group: string, plural: string) => Store;
  /** The same; undefined for what is not served. */
  readonly findStore: (group: string, plural: string) => Store | undefined;
  /** Stops caches and watches. */
  close(): Promise<void>;
}

/**
 * Makes the storages of all groups; those that are served are installed in every version that the reference serves. A
 * group of which nothing is served is none.
 */
export function createRegistry(
  providers: readonly GroupProvider[],
  restOptions: RESTOptionsGetter,
  environment: RegistryEnvironment,
): BuiltInRegistry {
  const stores = new Map<string, Store>();
  let provideNow: ((group: string, plural: string) => void) | undefined;
  const findStore = (group: string, plural: string): Store | undefined => {
    const key = `${group}/${plural}`;
    if (!stores.has(key)) provideNow?.(group, plural);
    return stores.get(key);
  };
  const storeOf = (group: string, plural: string): Store => {
    const store = findStore(group, plural);
    if (store === undefined) throw new RegistryConfigError(`no store for ${plural} in group ${JSON.stringify(group)}`);
    return store;
  };
  const { release = builtinRelease } = environment;
  const context: RegistryContext = {
    ...environment,
    release,
    storeOf,
    store(resource) {
      const spec = builtinResourceSpec(
        { scheme: environment.scheme, ...storageVersionOf(resource, release, environment.minCompatible), ...resource },
        release,
      );
      const store = createResource(spec, restOptions, {
        environment: {
          clock: environment.clock,
          ...environment.randomness,
          release,
          tellMistakes: tellingOf(release, environment.featureEnabled),
        },
        ...(environment.storageMediaType === undefined ? {} : { mediaType: environment.storageMediaType }),
      });
      stores.set(`${resource.group}/${resource.plural}`, store);
      return store;
    },
  };
  const close = async (): Promise<void> => {
    await Promise.all([...stores.values()].map((store) => store.close()));
  };
  const shape = environment.commons?.get(registryShape);
  if (shape !== undefined) {
    const provided = new ProvidedLazily(shape, context);
    provideNow = (group, plural) => {
      provided.provide(group, plural);
    };
    return { groups: provided.groups(environment.scheme), findStore, storeOf, close };
  }
  const { serves = servedResources(new Map()), servesLegacy = () => false } = environment;
  const isServed: ServesResource = (resource) => serves(resource) || servesLegacy(resource);
  const providing = new Map<string, BuiltInResource>();
  const storages = new Map(
    providers.map(({ group, resources }) => [
      group,
      new Map(
        resources
          .filter(({ definition }) => definition === undefined || isWanted(definition, { release, serves: isServed }))
          .flatMap((resource) => {
            const entries = resource.provide(context);
            for (const [path] of entries) providing.set(`${group}/${path}`, resource);
            return entries;
          }),
      ),
    ]),
  );
  const legacy = legacyInstallation(storages, servesLegacy);
  const groups = [...new Set([...storages.keys(), ...legacy.keys()])]
    .map((group) =>
      groupInfo(group, { release, scheme: environment.scheme, serves, storages, legacy: legacy.get(group) ?? [] }),
    )
    .filter(({ prioritizedVersions }) => prioritizedVersions.length > 0);
  // Legacy versions are made of several storages.
  if (legacy.size === 0) environment.commons?.once(registryShape, () => shapeOf(groups, providing));
  return { groups, findStore, storeOf, close };
}

/** In which version it is stored, where that depends on other servers. */
function storageVersionOf(
  { group, plural }: Pick<ResourceDefinition, 'group' | 'plural'>,
  release: Release,
  minCompatible: string | undefined,
): { readonly storageVersion?: GroupVersion } {
  const facts = minCompatible === undefined ? undefined : release.preferredResource(group, plural);
  if (facts === undefined || minCompatible === undefined) return {};
  const storageVersion = compatibleStorageVersion(release, facts, minCompatible);
  return storageVersion === undefined ? {} : { storageVersion };
}

/** What is in no version that is served by default has a store only where it is asked for. */
function isWanted(
  { group, plural }: ResourceDefinition,
  { release, serves }: { readonly release: Release; readonly serves: ServesResource },
): boolean {
  const isIt = (row: ResourceFacts): boolean => row.group === group && row.resource === plural;
  return (
    release.resources.some(isIt) || [...release.optional, ...removedResources()].some((row) => isIt(row) && serves(row))
  );
}

/** All that the reference has of a group, preferred first. */
function versionsOf(group: string, { groups, optional }: Release): ReadonlySet<string> {
  const byDefault = groups.find((row) => row.group === group)?.versions ?? [];
  const others = optional.filter((row) => row.group === group).map(({ version }) => version);
  return new Set([...byDefault, ...others]);
}

interface GroupParts {
  readonly release: Release;
  readonly scheme: Scheme;
  readonly serves: ServesResource;
  /** By group, then by path. */
  readonly storages: ReadonlyMap<string, ReadonlyMap<string, RESTStorage>>;
  readonly legacy: readonly InstalledLegacyVersion[];
}

/** Each version gets the resources that discovery lists for it, as far as they are served. */
function groupInfo(group: string, { legacy, release, scheme, serves, storages }: GroupParts): APIGroupInfo {
  const own = storages.get(group) ?? new Map<string, RESTStorage>();
  const versionedResources = new Map(
    [...versionsOf(group, release)].flatMap((version) => {
      const served = new Set(
        [...release.resources, ...release.optional]
          .filter((row) => row.group === group && row.version === version && serves(row))
          .flatMap((row) => [row.resource, ...row.subresources.map(({ name }) => `${row.resource}/${name}`)]),
      );
      const resources = new Map([...own].filter(([path]) => served.has(path)));
      return resources.size === 0 ? [] : [[version, resources] as const];
    }),
  );
  for (const { resources, version } of legacy)
    versionedResources.set(version, new Map([...(versionedResources.get(version) ?? []), ...resources]));
  const deprecationWarnings = new Map([
    ...release.optional
      .filter((row) => row.group === group)
      .flatMap(({ deprecationWarning, resource, version }) =>
        deprecationWarning === undefined ? [] : [[`${version}/${resource}`, deprecationWarning] as const],
      ),
    ...legacy.flatMap(({ deprecationWarnings: warnings }) => [...warnings]),
  ]);
  return {
    group,
    prioritizedVersions: [...versionedResources.keys()],
    versionedResources,
    scheme,
    deprecationWarnings,
  };
}
