import { isDeepStrictEqual } from 'node:util';
import type { APIGroupDiscovery, APIVersionDiscovery } from '@kubechain/apiserver/servers';
import { mergePreservingOrder } from './preserving-order.ts';

type Resource = APIVersionDiscovery['resources'][number];
/** What documents leave out where there is none. */
type Version = Omit<APIVersionDiscovery, 'resources'> & { readonly resources?: readonly Resource[] };

/**
 * Discovery of several API servers as one (peerAggregatedDiscoveryHandler of apiserver/pkg/endpoints/discovery/
 * aggregated, 1.36): groups, versions and resources that any of them has, in an order that contradicts none of them;
 * of what several have, the words of the one whose identity comes first, with the verbs and subresources of all.
 * @param servers by identity, this one among them
 */
export function mergeDiscovery(
  servers: ReadonlyMap<string, readonly APIGroupDiscovery[]>,
): readonly APIGroupDiscovery[] {
  const lists = [...servers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, groups]) => groups);
  return mergeLists(lists, ({ metadata }) => metadata.name ?? '', mergeGroups);
}

function mergeGroups(a: APIGroupDiscovery, b: APIGroupDiscovery): APIGroupDiscovery {
  return { metadata: a.metadata, versions: mergeLists([a.versions, b.versions], versionName, mergeVersions) };
}

function versionName({ version }: { readonly version: string }): string {
  return version;
}

function mergeVersions(a: Version, b: Version): APIVersionDiscovery {
  const resources = mergeLists([a.resources ?? [], b.resources ?? []], ({ resource }) => resource, mergeResources);
  // A version without resources has no such member.
  return (resources.length === 0 ? a : { ...a, version: a.version, resources }) as APIVersionDiscovery;
}

function mergeResources(a: Resource, b: Resource): Resource {
  if (isDeepStrictEqual(a, b)) return a;
  const subresources = new Map(
    [...(a.subresources ?? []), ...(b.subresources ?? [])].map((each) => [each.subresource, each]),
  );
  return {
    ...a,
    verbs: [...new Set([...a.verbs, ...b.verbs])].sort(),
    ...(subresources.size === 0
      ? {}
      : { subresources: [...subresources.values()].sort((x, y) => (x.subresource < y.subresource ? -1 : 1)) }),
  };
}

/** Members that several lists have become one; the order is that of all lists. */
function mergeLists<T>(
  lists: readonly (readonly T[])[],
  nameOf: (item: T) => string,
  merge: (a: T, b: T) => T,
): readonly T[] {
  const merged = new Map<string, T>();
  for (const item of lists.flat()) {
    const known = merged.get(nameOf(item));
    merged.set(nameOf(item), known === undefined ? item : merge(known, item));
  }
  return mergePreservingOrder(lists.map((list) => list.map(nameOf))).map((name) => merged.get(name) as T);
}
