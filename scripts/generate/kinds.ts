import type { GoFacts, OpenAPISchema } from './facts.ts';

/**
 * One group-version of the kind table; a kind is its Go name, or `Kind=definition` when it lives in another package.
 */
export interface KindRow {
  readonly group: string;
  readonly version: string;
  readonly internal: string;
  readonly package: string;
  readonly kinds: readonly string[];
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** Registered in every group-version (meta/v1 AddToGroupVersion, apimachinery 1.36 pkg/apis/meta/v1/register.go). */
export const COMMON_KINDS = [
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
];
/** Registered once for all groups, as kinds of core v1. */
const UNVERSIONED_KINDS = ['APIGroup', 'APIGroupList', 'APIResourceList', 'APIVersions', 'Status'];
/** meta.k8s.io/v1. */
const META_KINDS = ['PartialObjectMetadata', 'PartialObjectMetadataList', 'Table', 'TableOptions', ...COMMON_KINDS];

/** All kinds, from the Go registrations and checked against what OpenAPI declares as served. */
export function kindTable(go: GoFacts, openapi: Readonly<Record<string, OpenAPISchema>>): KindRow[] {
  const rows = new Map<string, KindRow & { kinds: string[] }>();
  const row = (
    group: string,
    version: string,
    packageName: string,
    internal: string,
  ): KindRow & { kinds: string[] } => {
    const key = `${group}/${version}`;
    let found = rows.get(key);
    if (found === undefined) rows.set(key, (found = { group, version, internal, package: packageName, kinds: [] }));
    return found;
  };
  for (const [group, version, kind, definition] of go.kinds) {
    const home = definition.slice(0, -kind.length - 1);
    const packageName = go.types[definition] !== undefined && !home.startsWith(META) ? home : '';
    const target = row(group, version, packageName, go.packages[group] ?? group);
    if (home === target.package) target.kinds.push(kind);
    else if (!UNVERSIONED_KINDS.includes(kind)) target.kinds.push(`${kind}=${definition}`);
  }
  row('', 'v1', 'io.k8s.api.core.v1', 'core').kinds.push(...UNVERSIONED_KINDS.map((kind) => `${kind}=${META}.${kind}`));
  row('meta.k8s.io', 'v1', META, 'meta').kinds.push(...META_KINDS);
  for (const [definition, schema] of Object.entries(openapi)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      if (COMMON_KINDS.includes(kind)) continue;
      const served = rows.get(`${group}/${version}`);
      if (served === undefined) throw new Error(`${definition}: no Go package registers ${group}/${version}`);
      if (!served.kinds.includes(kind) && !served.kinds.includes(`${kind}=${definition}`))
        served.kinds.push(definition === `${served.package}.${kind}` ? kind : `${kind}=${definition}`);
    }
  }
  const sorted = [...rows.values()].toSorted((a, b) =>
    `${a.group}/${a.version}` < `${b.group}/${b.version}` ? -1 : 1,
  );
  for (const entry of sorted) entry.kinds.sort();
  return sorted;
}
