import type { GoFacts } from './facts.ts';

interface APIResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}
interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
}
export type Discovery = Readonly<
  Record<
    string,
    {
      readonly resources?: readonly APIResource[];
      readonly groups?: readonly {
        readonly name: string;
        readonly versions: readonly { readonly version: string }[];
      }[];
    }
  >
>;
export type EtcdPaths = Readonly<
  Record<string, { readonly example: string; readonly storedAs?: string; readonly introduced?: string }>
>;
export type Columns = Readonly<Record<string, readonly Column[]>>;

/** The resource table: groups in discovery order, and one row per resource with its subresources. */
export function resourceTable(
  discovery: Discovery,
  etcd: EtcdPaths,
  columns: Columns,
  go: GoFacts,
): { groups: unknown[]; resources: unknown[] } {
  const groups = [
    { group: '', versions: ['v1'] },
    ...(discovery['/apis']?.groups ?? []).map((group) => ({
      group: group.name,
      versions: group.versions.map((v) => v.version),
    })),
  ];
  const resources = groups.flatMap(({ group, versions }) =>
    versions.flatMap((version) => {
      const path = group === '' ? '/api/v1' : `/apis/${group}/${version}`;
      const list = discovery[path]?.resources ?? [];
      return list
        .filter((resource) => !resource.name.includes('/'))
        .map((resource) => {
          const apiVersion = group === '' ? version : `${group}/${version}`;
          const storage = etcd[`${apiVersion}/${resource.name}`];
          const table = columns[`${path}/${resource.name}`];
          const listKind = go.kinds.some(
            ([g, v, kind]) => g === group && v === version && kind === `${resource.kind}List`,
          )
            ? `${resource.kind}List`
            : undefined;
          return {
            group,
            version,
            resource: resource.name,
            kind: resource.kind,
            ...(listKind === undefined ? {} : { listKind }),
            singular: resource.singularName,
            namespaced: resource.namespaced,
            verbs: resource.verbs,
            ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
            ...(resource.categories === undefined ? {} : { categories: resource.categories }),
            ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
            ...(storage === undefined
              ? {}
              : {
                  storage: {
                    prefix: keyPrefix(storage.example),
                    ...storageVersion(storage.storedAs ?? `${apiVersion}/${resource.kind}`),
                  },
                }),
            ...(isEmulable(storage?.introduced) ? { introduced: storage?.introduced } : {}),
            ...(table === undefined ? {} : { columns: table }),
            subresources: list
              .filter((sub) => sub.name.startsWith(`${resource.name}/`))
              .map((sub) => ({
                name: sub.name.slice(resource.name.length + 1),
                ...(sub.group === undefined ? {} : { group: sub.group }),
                ...(sub.version === undefined ? {} : { version: sub.version }),
                kind: sub.kind,
                namespaced: sub.namespaced,
                verbs: sub.verbs,
              })),
          };
        });
    }),
  );
  return { groups, resources };
}

/** Servers can be made to behave as releases since 1.31: what was there before is always there. */
function isEmulable(introduced = ''): boolean {
  return Number(introduced.split('.')[1] ?? 0) > 31;
}

/** `/registry/services/specs/{namespace}/service1` → `services/specs` */
function keyPrefix(example: string): string {
  const parts = example.split('/').slice(2, -1);
  return parts.filter((part) => part !== '{namespace}').join('/');
}

function storageVersion(storedAs: string): { group: string; version: string; kind: string } {
  const parts = storedAs.split('/');
  const [group = '', version = '', kind = ''] = parts.length === 2 ? ['', ...parts] : parts;
  return { group, version, kind };
}
