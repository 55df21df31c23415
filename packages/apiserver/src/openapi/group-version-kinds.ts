import { removedResources, type Release } from '@kubechain/apimachinery';

/** One row of x-kubernetes-group-version-kind; members in the order of the wire. */
export interface PublishedKind {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
}

/** Groups that kube-apiserver's own scheme does not register: answers and files of other components. */
const unpublished: ReadonlySet<string> = new Set(['meta.k8s.io', 'apidiscovery.k8s.io', 'audit.k8s.io']);

const byRelease = new WeakMap<Release, ReadonlyMap<string, readonly PublishedKind[]>>();

/** The kinds that a definition is registered as, by group, version and kind. */
export function groupVersionKindsOf(definition: string, release: Release): readonly PublishedKind[] {
  let byDefinition = byRelease.get(release);
  if (byDefinition === undefined) byRelease.set(release, (byDefinition = collect(release)));
  return byDefinition.get(definition) ?? [];
}

/** What all group versions register, said of those alone that the release has. */
const isCommon = (definition: string): boolean => definition.startsWith('io.k8s.apimachinery.');

function collect({ scheme }: Release): Map<string, PublishedKind[]> {
  const map = new Map<string, PublishedKind[]>();
  const add = (definition: string, kind: PublishedKind): void => {
    const known = map.get(definition);
    if (known === undefined) map.set(definition, [kind]);
    else known.push(kind);
  };
  const removed = new Set(removedResources().map(({ group }) => group));
  for (const { definition, gvk } of scheme.kinds()) {
    const { group, kind, version } = gvk;
    if (definition === undefined || unpublished.has(group) || (removed.has(group) && isCommon(definition))) continue;
    add(definition, { group, kind, version });
  }
  // A version that is registered for its options alone.
  for (const kind of ['DeleteOptions', 'WatchEvent'])
    add(`io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`, { group: 'apiregistration.k8s.io', kind, version: 'v1beta1' });
  for (const kinds of map.values())
    kinds.sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind));
  return map;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
