import type { GroupVersion } from '../object/object.ts';
import { minorOf } from './release.ts';
import type { ResourceFacts, ResourceTables } from '../runtime/resource-facts.ts';
import { compareVersions } from '../runtime/version-order.ts';

/**
 * Resources that are stored in the same version whatever others can read, while that is a beta or alpha one. Source:
 * kubernetes/pkg/kubeapiserver/default_storage_factory_builder.go, 1.36.
 */
const FIXED: ReadonlySet<string> = new Set([
  'clustertrustbundles',
  'customresourcedefinitions',
  'devicetaintrules',
  'leasecandidates',
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'podcertificaterequests',
  'podgroups',
  'resourcepoolstatusrequests',
  'volumeattributesclasses',
  'workloads',
]);

/**
 * The version in which objects of a resource are stored where servers of release `minCompatible` must be able to read
 * them: the best one that there was then, or the release's own where there was none. Undefined for a resource that is
 * not stored. Source: apiserver/pkg/server/storage/resource_encoding_config.go (emulatedStorageVersion), 1.36.
 */
export function compatibleStorageVersion(
  tables: Pick<ResourceTables, 'optional' | 'resources'>,
  { resource, storage }: Pick<ResourceFacts, 'resource' | 'storage'>,
  minCompatible: string,
): GroupVersion | undefined {
  if (storage === undefined) return undefined;
  const { group, version } = storage;
  if (FIXED.has(resource) && /alpha|beta/.test(version)) return { group, version };
  const isReadable = ({ introduced = '1.0' }: ResourceFacts): boolean => minorOf(introduced) <= minorOf(minCompatible);
  const [best] = [...tables.resources, ...tables.optional]
    .filter((row) => row.group === group && row.resource === resource && isReadable(row))
    .toSorted((a, b) => compareVersions(a.version, b.version));
  return { group, version: best?.version ?? version };
}
