import type { RESTStorage, Store } from '@kubechain/apiserver/resources';
import type { ServesResource } from '@kubechain/apiserver/options';
import { kindOf } from '../resource.ts';
import { deploymentRollback } from './deployment-rollback.ts';
import { legacyVersions } from './legacy-versions.ts';
import type { LegacyResource, LegacyVersion } from './legacy-versions.ts';
import { scaleView } from './scale-view.ts';

type Storages = ReadonlyMap<string, RESTStorage>;

/** A removed version, ready to be installed beside today's of its group. */
export interface InstalledLegacyVersion {
  readonly version: string;
  readonly resources: Storages;
  /** By `version/resource`. */
  readonly deprecationWarnings: ReadonlyMap<string, string>;
}

/** Versions of which deployments can be rolled back by a request. */
const withRollback: ReadonlySet<string> = new Set(['extensions/v1beta1', 'apps/v1beta1']);

/**
 * The removed versions that are asked for, by group: views of the storages of today, so that an object is the same one
 * whichever version it is written or read in. `storages`: today's, by group and path.
 */
export function legacyInstallation(
  storages: ReadonlyMap<string, Storages>,
  serves: ServesResource,
): ReadonlyMap<string, readonly InstalledLegacyVersion[]> {
  const byGroup = new Map<string, InstalledLegacyVersion[]>();
  for (const legacy of legacyVersions) {
    const { group, version } = legacy;
    const resources = legacy.resources.filter(({ plural }) => serves({ group, version, resource: plural }));
    if (resources.length === 0) continue;
    const installed = {
      version,
      resources: new Map(resources.flatMap((resource) => viewsOf(legacy, resource, storages))),
      deprecationWarnings: new Map(resources.flatMap((resource) => warningOf(legacy, resource))),
    };
    byGroup.set(group, [...(byGroup.get(group) ?? []), installed]);
  }
  return byGroup;
}

function viewsOf(
  { group, version }: LegacyVersion,
  { plural, subresources, today }: LegacyResource,
  storages: ReadonlyMap<string, Storages>,
): readonly (readonly [path: string, storage: RESTStorage])[] {
  const own = storages.get(today) ?? new Map<string, RESTStorage>();
  const paths = [plural, ...subresources.map((subresource) => `${plural}/${subresource}`)];
  const views = paths.flatMap((path) => {
    const storage = own.get(path);
    if (storage === undefined) return [];
    return [[path, path.endsWith('/scale') ? scaleView(storage) : storage] as const];
  });
  const deployments = own.get('deployments') as Store | undefined;
  return plural === 'deployments' && deployments !== undefined && withRollback.has(`${group}/${version}`)
    ? [...views, ['deployments/rollback', deploymentRollback(deployments)]]
    : views;
}

/** In the reference's words (apiserver/pkg/endpoints/deprecation, 1.36). */
function warningOf(
  { group, version }: LegacyVersion,
  { end, plural, today }: LegacyResource,
): readonly (readonly [resource: string, warning: string])[] {
  if (end === undefined) return [];
  const [deprecated, removed, replacement] = end;
  const kind = kindOf({ group: today, plural });
  const text =
    `${group}/${version} ${kind} is deprecated in v1.${deprecated}+, unavailable in v1.${removed}+; ` +
    `use ${replacement}`;
  return [[`${version}/${plural}`, text]];
}
