import type { Scheme } from '@kubechain/apimachinery';
import { CommonPart, storageFactsOf } from '@kubechain/apiserver/resources';
import type { APIGroupInfo, RESTStorage, StorageFacts } from '@kubechain/apiserver/resources';
import type { BuiltInResource } from './resource.ts';
import type { RegistryContext } from './storage-provider.ts';

interface GroupShape {
  readonly info: Omit<APIGroupInfo, 'deferredResources' | 'scheme' | 'versionedResources'>;
  /** By version, then by path. */
  readonly versions: ReadonlyMap<string, ReadonlyMap<string, StorageFacts>>;
}

/** What a registry installs, without the storages: the same in each that is made with the same flags. */
export interface RegistryShape {
  /** What makes the storage of a path, by group and path. */
  readonly providers: ReadonlyMap<string, BuiltInResource>;
  readonly groups: readonly GroupShape[];
}

/** The shape of the registries of tenants. */
export const registryShape = new CommonPart<RegistryShape>('shape of the registry');

/** The shape of a registry whose storages are made; `providers` by group and path. */
export function shapeOf(
  groups: readonly APIGroupInfo[],
  providers: ReadonlyMap<string, BuiltInResource>,
): RegistryShape {
  return {
    providers,
    groups: groups.map(({ deferredResources: _deferred, scheme: _scheme, versionedResources, ...info }) => ({
      info,
      versions: new Map(
        [...versionedResources].map(([version, resources]) => [
          version,
          new Map(
            [...resources].map(([path, storage]) => [
              path,
              storageFactsOf(path, storage, { group: info.group, version }),
            ]),
          ),
        ]),
      ),
    })),
  };
}

/** Makes the storages of a registry of a known shape, each resource with its subresources when it is first asked for. */
export class ProvidedLazily {
  readonly #shape: RegistryShape;
  readonly #context: RegistryContext;
  readonly #provided = new Map<BuiltInResource, ReadonlyMap<string, RESTStorage>>();

  constructor(shape: RegistryShape, context: RegistryContext) {
    this.#shape = shape;
    this.#context = context;
  }

  /** What is to be installed. */
  groups(scheme: Scheme): readonly APIGroupInfo[] {
    return this.#shape.groups.map(({ info, versions }) => ({
      ...info,
      scheme,
      versionedResources: new Map(),
      deferredResources: new Map(
        [...versions].map(([version, paths]) => [
          version,
          new Map([...paths].map(([path, facts]) => [path, { facts, load: () => this.#storage(info.group, path) }])),
        ]),
      ),
    }));
  }

  /** Makes the storage of a path, where there is one and nobody has made it. */
  provide(group: string, path: string): void {
    const resource = this.#shape.providers.get(`${group}/${path}`);
    if (resource !== undefined) this.#entries(resource);
  }

  #storage(group: string, path: string): RESTStorage {
    const resource = this.#shape.providers.get(`${group}/${path}`) as BuiltInResource;
    return this.#entries(resource).get(path) as RESTStorage;
  }

  #entries(resource: BuiltInResource): ReadonlyMap<string, RESTStorage> {
    let entries = this.#provided.get(resource);
    if (entries === undefined) this.#provided.set(resource, (entries = new Map(resource.provide(this.#context))));
    return entries;
  }
}
