import type { GroupVersion } from '@kubechain/apimachinery';
import type { APIResource, APIResourceDiscovery, APISubresourceDiscovery } from './api-resource.ts';

const noKind = { group: '', version: '', kind: '' };

/** Entries whose subresources are still being collected. */
type Building = { -readonly [K in keyof APIResourceDiscovery]: APIResourceDiscovery[K] } & {
  collected?: APISubresourceDiscovery[];
};

/**
 * The resources of a group version in the form of aggregated discovery: subresources below their parents, which are
 * made up where they do not exist (endpoints.ConvertGroupVersionIntoToDiscovery).
 *
 * `qualify`: group and version of kinds that do not say otherwise; built-in groups leave them empty, custom resources
 * do not.
 */
export function aggregatedResources(
  resources: readonly APIResource[],
  qualify: GroupVersion | undefined,
): APIResourceDiscovery[] {
  const parents = new Map<string, Building>();
  const kindOf = (resource: APIResource): APIResourceDiscovery['responseKind'] =>
    resource.kind === ''
      ? noKind
      : {
          group: resource.group ?? (resource.version === undefined ? (qualify?.group ?? '') : ''),
          version: resource.version ?? qualify?.version ?? '',
          kind: resource.kind,
        };
  for (const resource of resources) {
    if (resource.name.includes('/')) continue;
    parents.set(resource.name, {
      resource: resource.name,
      responseKind: kindOf(resource),
      scope: resource.namespaced ? 'Namespaced' : 'Cluster',
      singularResource: resource.singularName,
      verbs: resource.verbs,
      ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories === undefined ? {} : { categories: resource.categories }),
    });
  }
  for (const resource of resources) {
    const slash = resource.name.indexOf('/');
    if (slash < 0) continue;
    const name = resource.name.slice(0, slash);
    let parent = parents.get(name);
    if (parent === undefined) {
      parents.set(
        name,
        (parent = {
          resource: name,
          responseKind: noKind,
          scope: resource.namespaced ? 'Namespaced' : 'Cluster',
          singularResource: '',
          verbs: [],
        }),
      );
    }
    (parent.collected ??= []).push({
      subresource: resource.name.slice(slash + 1),
      responseKind: kindOf(resource),
      verbs: resource.verbs,
    });
  }
  return [...parents.values()].map(({ collected, ...entry }) =>
    collected === undefined ? entry : { ...entry, subresources: collected },
  );
}
