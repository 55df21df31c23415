import { compareVersions, formatGroupVersion } from '@kubechain/apimachinery';
import type { GroupResource, GroupVersion, Release, ResourceFacts } from '@kubechain/apimachinery';
import { statusOfServers } from '@kubechain/component-helpers';
import type { ServerStorageVersion, StorageVersion } from '@kubechain/component-helpers';

/** In which version a server stores a resource, and which versions it can read and serves. */
export interface StoredResource {
  /** `apps.deployments`, `core.pods`. */
  readonly name: string;
  /** All that are kept in that place, as events of two groups are. */
  readonly resources: readonly GroupResource[];
  readonly versions: Required<Omit<ServerStorageVersion, 'apiServerID'>>;
}

/** What the other servers of the chain store. */
const ofOthers: readonly StoredResource[] = [
  {
    name: 'apiextensions.k8s.io.customresourcedefinitions',
    resources: [{ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' }],
    versions: {
      encodingVersion: 'apiextensions.k8s.io/v1beta1',
      decodableVersions: ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'],
      servedVersions: ['apiextensions.k8s.io/v1'],
    },
  },
  {
    name: 'apiregistration.k8s.io.apiservices',
    resources: [{ group: 'apiregistration.k8s.io', resource: 'apiservices' }],
    versions: {
      encodingVersion: 'apiregistration.k8s.io/v1',
      decodableVersions: ['apiregistration.k8s.io/v1', 'apiregistration.k8s.io/v1beta1'],
      servedVersions: ['apiregistration.k8s.io/v1'],
    },
  },
];

/**
 * What servers of a release store, by name. Of resources that are kept in one place, as events of two groups are, the
 * first group's counts (apiserver/storageversion/manager.go, 1.36).
 * @param storedIn the version in which they are stored; default the release's own
 */
export function storedResources(
  release: Pick<Release, 'optional' | 'resources' | 'scheme'>,
  isServed: (row: ResourceFacts) => boolean,
  storedIn: (row: ResourceFacts) => GroupVersion | undefined = ({ storage }) => storage,
): readonly StoredResource[] {
  const rows = [...release.resources, ...release.optional].filter((row) => row.storage !== undefined && isServed(row));
  const places = new Map<string, ResourceFacts[]>();
  for (const row of rows.toSorted((a, b) => (a.group === b.group ? 0 : a.group < b.group ? -1 : 1))) {
    const place = row.storage?.prefix ?? '';
    places.set(place, [...(places.get(place) ?? []), row]);
  }
  const stored = [...places.values()].flatMap((all): StoredResource[] => {
    const [first] = all;
    const encoding = first === undefined ? undefined : storedIn(first);
    if (first === undefined || encoding === undefined) return [];
    const own = all.filter(({ group }) => group === first.group).map(formatGroupVersion);
    const known = [...release.scheme.kinds()]
      .map(({ gvk }) => gvk)
      .filter(({ group, kind }) => group === first.group && kind === first.kind)
      .toSorted((a, b) => compareVersions(a.version, b.version))
      .map(formatGroupVersion);
    return [
      {
        name: `${first.group === '' ? 'core' : first.group}.${first.resource}`,
        resources: all.map(({ group, resource }) => ({ group, resource })),
        versions: {
          encodingVersion: formatGroupVersion(encoding),
          decodableVersions: [...new Set([...known, ...all.map(formatGroupVersion)])],
          servedVersions: own,
        },
      },
    ];
  });
  return [...stored, ...ofOthers].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The status of a storage version with what one server says among what others do. */
export function withServer(
  status: StorageVersion['status'] = {},
  server: ServerStorageVersion,
  now: string,
): NonNullable<StorageVersion['status']> {
  const before = status.storageVersions ?? [];
  const isKnown = before.some(({ apiServerID }) => apiServerID === server.apiServerID);
  const servers = isKnown
    ? before.map((each) => (each.apiServerID === server.apiServerID ? server : each))
    : [...before, server];
  return statusOfServers(status, servers, now);
}
