import { compareVersions } from '@kubechain/apimachinery';
import type { APIGroup } from '@kubechain/apiserver/servers';
import type { APIService } from '../apiservice/api-service.ts';

/**
 * The groups that APIServices say there are, in the order of /apis: the group with the highest groupPriorityMinimum
 * first, then by name of that APIService (apiregistration/v1/helper SortedByGroupAndVersion, 1.36). The core group is
 * not among them. Whether a server answers plays no part.
 */
export function groupsOf(services: Iterable<APIService>): APIGroup[] {
  const byGroup = new Map<string, APIService[]>();
  const sorted = [...services].sort(
    (a, b) =>
      b.spec.groupPriorityMinimum - a.spec.groupPriorityMinimum ||
      ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1),
  );
  for (const service of sorted) {
    const group = service.spec.group ?? '';
    if (group === '') continue;
    const known = byGroup.get(group);
    if (known === undefined) byGroup.set(group, [service]);
    else known.push(service);
  }
  return [...byGroup].map(([group, members]) => groupOf(group, members));
}

function groupOf(name: string, services: readonly APIService[]): APIGroup {
  const versions = services
    .toSorted(
      (a, b) =>
        b.spec.versionPriority - a.spec.versionPriority || compareVersions(a.spec.version ?? '', b.spec.version ?? ''),
    )
    .map(({ spec: { version = '' } }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions, preferredVersion: versions[0] as APIGroup['preferredVersion'] };
}
