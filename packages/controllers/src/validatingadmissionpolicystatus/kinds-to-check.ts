import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { DiscoveredResource } from '../discovery/discovery.ts';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** More kinds of one policy are not checked. */
const limit = 10;

/**
 * The kinds that a policy's rules name without wildcards, in order (validating/typechecking.go typesToCheck, 1.36).
 */
export function kindsToCheck(
  { spec }: ValidatingAdmissionPolicy,
  served: readonly DiscoveredResource[],
): readonly GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  const inOrder = served.toSorted(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.resource, b.resource),
  );
  for (const { apiGroups = [], apiVersions = [], resources = [] } of spec?.matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    // By what is served: a rule of 10 KB may name a thousand million resources.
    const [groups, versions, names] = [
      timesOf(apiGroups),
      timesOf(apiVersions),
      timesOf(resources.filter((name) => !/[*/]/.test(name))),
    ];
    let count = 0;
    for (const { group, kind, resource, version } of inOrder) {
      const times = (groups.get(group) ?? 0) * (versions.get(version) ?? 0) * (names.get(resource) ?? 0);
      if (times === 0) continue;
      const gvk = { group, version, kind };
      found.set(gvkText(gvk), gvk);
      count += times;
      if (count >= limit) return sorted(found);
    }
  }
  return sorted(found);
}

/** How often each is named. */
function timesOf(names: readonly string[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sorted(kinds: ReadonlyMap<string, GroupVersionKind>): readonly GroupVersionKind[] {
  return [...kinds.values()].toSorted(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

/** As Go prints a GroupVersionKind: `apps/v1, Kind=Deployment`. */
export function gvkText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
