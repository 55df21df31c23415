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
  for (const { apiGroups = [], apiVersions = [], resources = [] } of spec?.matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    const names = resources.filter((name) => !/[*/]/.test(name));
    let count = 0;
    for (const group of apiGroups.toSorted())
      for (const version of apiVersions.toSorted())
        for (const resource of names.toSorted()) {
          const match = served.find(
            (each) => each.group === group && each.version === version && each.resource === resource,
          );
          if (match === undefined) continue;
          found.set(gvkText(match), { group, version, kind: match.kind });
          if (++count === limit) return sorted(found);
        }
  }
  return sorted(found);
}

function sorted(kinds: ReadonlyMap<string, GroupVersionKind>): readonly GroupVersionKind[] {
  const by = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...kinds.values()].toSorted((a, b) => by(a.group, b.group) || by(a.version, b.version) || by(a.kind, b.kind));
}

/** As Go prints a GroupVersionKind: `apps/v1, Kind=Deployment`. */
export function gvkText({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}
