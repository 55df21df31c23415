import type { ResourceRoute, ResourceRoutes, RoutedResource } from '../endpoints/route.ts';

type BySubresource = Map<string, ResourceRoute>;
type ByResource = Map<string, BySubresource>;
type ByVersion = Map<string, ByResource>;

/** ResourceRoutes as nested Maps: a look-up joins no strings. Writes are rare and take effect at once. */
export class ResourceRouteTable implements ResourceRoutes {
  readonly #groups = new Map<string, ByVersion>();

  get(group: string, version: string, resource: string, subresource: string): ResourceRoute | undefined {
    return this.#groups.get(group)?.get(version)?.get(resource)?.get(subresource);
  }

  set({ group, version, resource, subresource }: RoutedResource, route: ResourceRoute): void {
    const versions = entry<ByVersion>(this.#groups, group);
    const resources = entry<ByResource>(versions, version);
    entry<BySubresource>(resources, resource).set(subresource, route);
  }

  delete({ group, version, resource, subresource }: RoutedResource): void {
    const versions = this.#groups.get(group);
    const resources = versions?.get(version);
    const subresources = resources?.get(resource);
    if (versions === undefined || resources === undefined || subresources === undefined) return;
    subresources.delete(subresource);
    if (subresources.size === 0) resources.delete(resource);
    if (resources.size === 0) versions.delete(version);
    if (versions.size === 0) this.#groups.delete(group);
  }
}

function entry<M extends Map<string, unknown>>(map: Map<string, M>, key: string): M {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = new Map<string, unknown>() as M));
  return value;
}
