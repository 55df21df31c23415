import former from '../generated/former-resources.json' with { type: 'json' };
import optional from '../generated/optional-resources.json' with { type: 'json' };
import table from '../generated/resources.json' with { type: 'json' };
import type { GroupVersionKind } from '../object/object.ts';

/** One column of a resource's Table representation. */
export interface ColumnFacts {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}

/** A subresource as discovery lists it; group and version are absent where they are the resource's own. */
export interface SubresourceFacts {
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/**
 * What is fixed about one served version of a built-in resource: discovery, storage and table columns of
 * kube-apiserver.
 */
export interface ResourceFacts {
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: the name in paths. */
  readonly resource: string;
  readonly kind: string;
  /** Absent for resources that cannot be listed. */
  readonly listKind?: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  /** Absent for resources that are not stored. */
  readonly storage?: {
    /** Below the etcd prefix, without slashes around it, e.g. `services/specs`; then follow namespace and name. */
    readonly prefix: string;
  } & GroupVersionKind;
  /** Release since which there is this version of it; absent for what came before 1.32. */
  readonly introduced?: string;
  /** Absent for resources that are never listed. */
  readonly columns?: readonly ColumnFacts[];
  readonly subresources: readonly SubresourceFacts[];
}

/** The same of a version that is served where it is asked for. */
export interface OptionalResourceFacts extends ResourceFacts {
  /** Warning of every answer, of a version that is deprecated. */
  readonly deprecationWarning?: string;
  /** Release since which it is not there any more: served where an earlier one is emulated. */
  readonly removed?: string;
  /** The feature gate without which it is not served; absent where it waits for none. */
  readonly gate?: ResourceGate;
}

/** A feature gate that resources wait for. */
export type ResourceGate =
  | 'ClusterTrustBundle'
  | 'CompositePodGroup'
  | 'EvictionRequestAPI'
  | 'GenericWorkload'
  | 'PodCertificateRequest'
  | 'StorageVersionMigrator';

/** The served groups and resources of one release. */
export interface ResourceTables {
  /** In the order of /apis (core first), each with its versions, preferred first. */
  readonly groups: readonly GroupFacts[];
  /** Served by default, in discovery order; a resource that is served in two versions has two rows. */
  readonly resources: readonly ResourceFacts[];
  /** Served where `--runtime-config` asks for it. */
  readonly optional: readonly OptionalResourceFacts[];
}

/** A served group. */
export interface GroupFacts {
  readonly group: string;
  readonly versions: readonly string[];
}

/** The tables of the release that they are made for. */
export const builtinResourceTables: ResourceTables = {
  groups: table.groups,
  resources: table.resources as readonly ResourceFacts[],
  optional: optional.resources as readonly OptionalResourceFacts[],
};

/** All built-in resources that are served by default. */
export function builtinResources(): readonly ResourceFacts[] {
  return builtinResourceTables.resources;
}

/**
 * Versions that have gone since a release that this one can emulate: what kube-apiserver lists with `api/all=true` and
 * `--emulated-version` beside all others.
 */
export function formerResources(): readonly OptionalResourceFacts[] {
  return former.resources as readonly OptionalResourceFacts[];
}

const podPreset = { group: 'settings.k8s.io', version: 'v1alpha1', kind: 'PodPreset' } as const;

/** Resources that 1.36 does not have in any version; kube-apiserver 1.19 was the last to list PodPresets. */
const removed: readonly ResourceFacts[] = [
  {
    ...podPreset,
    resource: 'podpresets',
    listKind: 'PodPresetList',
    singular: 'podpreset',
    namespaced: true,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    storage: { prefix: 'podpresets', ...podPreset },
    subresources: [],
  },
];

/** What is served only where `--legacy-apis` asks for it, and is no other form of something that there is today. */
export function removedResources(): readonly ResourceFacts[] {
  return removed;
}

/** The row that names and scope of a resource come from: its preferred version's; undefined when it is not built in. */
export function preferredResource(
  group: string,
  resource: string,
  { groups, optional, resources }: ResourceTables = builtinResourceTables,
): ResourceFacts | undefined {
  const versions = groups.find((candidate) => candidate.group === group)?.versions ?? [];
  const isIt = (row: ResourceFacts): boolean => row.group === group && row.resource === resource;
  return (
    resources.filter(isIt).toSorted((a, b) => versions.indexOf(a.version) - versions.indexOf(b.version))[0] ??
    optional.find(isIt) ??
    removedResources().find(isIt)
  );
}

/** Served groups in the order of /apis (core first), each with its versions, preferred first. */
export function builtinGroups(): readonly GroupFacts[] {
  return builtinResourceTables.groups;
}
