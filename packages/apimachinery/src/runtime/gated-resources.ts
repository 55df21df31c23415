import type { OptionalResourceFacts } from './resource-facts.ts';

/** A feature gate that resources wait for. */
export type ResourceGate = 'StorageVersionMigrator';

const migration = { group: 'storagemigration.k8s.io', version: 'v1beta1', kind: 'StorageVersionMigration' } as const;

interface GatedResource {
  /** Release that has it; later ones list it whatever their gates say. */
  readonly release: string;
  readonly row: OptionalResourceFacts;
}

/**
 * Resources that a release lists only where a feature gate that is off is turned on, so that no server with its
 * defaults tells of them: discovery, columns and storage of kube-apiserver 1.36.2 with
 * `--feature-gates=StorageVersionMigrator=true`.
 */
const gated: readonly GatedResource[] = [
  {
    release: '1.36',
    row: {
      ...migration,
      resource: 'storageversionmigrations',
      listKind: 'StorageVersionMigrationList',
      singular: 'storageversionmigration',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersionHash: 'pCjmmKOkLy4=',
      storage: { prefix: 'storageversionmigrations', ...migration },
      introduced: '1.35',
      columns: [
        { name: 'Name', type: 'string', format: '', priority: 0 },
        { name: 'Resource', type: 'string', format: '', priority: 0 },
        { name: 'Status', type: 'string', format: '', priority: 0 },
      ],
      subresources: [{ name: 'status', kind: migration.kind, namespaced: false, verbs: ['get', 'patch', 'update'] }],
    },
  },
];

/** By `group/resource`, the feature gate that it waits for. */
const gates: ReadonlyMap<string, ResourceGate> = new Map([
  [`${migration.group}/storageversionmigrations`, 'StorageVersionMigrator'],
]);

/** What a release has beside what a server with its defaults, or with `--runtime-config=api/all=true`, lists. */
export function gatedResources(release: string): readonly OptionalResourceFacts[] {
  return gated.filter((resource) => resource.release === release).map(({ row }) => row);
}

/** The feature gate without which a resource is not served; undefined where it waits for none. */
export function gateOf({
  group,
  resource,
}: {
  readonly group: string;
  readonly resource: string;
}): ResourceGate | undefined {
  return gates.get(`${group}/${resource}`);
}
