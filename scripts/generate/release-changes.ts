import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Release } from '../../packages/apimachinery/src/builtin/release.ts';
import type { ReleaseChanges } from '../../packages/apimachinery/src/builtin/release.ts';
import { rowChanges } from '../../packages/apimachinery/src/builtin/row-changes.ts';
import { PackageDescriptions } from '../../packages/apiserver/src/openapi/package-descriptions.ts';
import { descriptionRows } from './description-changes.ts';
import { openAPIExtras } from './openapi-extras.ts';
import type { ReleaseTables } from './release-tables.ts';

type Rows = readonly unknown[];

/**
 * What a release's tables say otherwise than those of its neighbour.
 * @param root of the workspace, whose checked-in tables both are made from
 */
export function releaseChanges(
  tables: ReleaseTables,
  names: Pick<Release, 'version' | 'gitVersion'>,
  { neighbour, root }: { readonly neighbour: Release; readonly root: string },
): ReleaseChanges {
  const read = (path: string): Readonly<Record<string, unknown>> =>
    JSON.parse(readFileSync(join(root, 'packages', path), 'utf8')) as Readonly<Record<string, unknown>>;
  const list = (path: string, member: string): Rows => read(path)[member] as Rows;
  const roles = read('apiserver/src/authorization/rbac/generated/bootstrap-roles.json');
  const generated = 'apimachinery/src/generated';
  const tablesHere: [name: string, here: Rows, there: Rows | undefined][] = [
    ['definitions', Object.entries(read(`${generated}/schemas.json`)['definitions'] as object), [...tables.schemas]],
    ['kinds', list(`${generated}/kinds.json`, 'groupVersions'), tables.kinds],
    ['groups', list(`${generated}/resources.json`, 'groups'), tables.groups],
    ['resources', list(`${generated}/resources.json`, 'resources'), tables.resources],
    ['optional', list(`${generated}/optional-resources.json`, 'resources'), tables.optional],
    ...Object.entries(tables.roles).map(([name, there]): [string, Rows, Rows] => [name, roles[name] as Rows, there]),
    [
      'printedColumns',
      Object.entries(read('kube-apiserver/src/registry/generated/table-columns.json')),
      entriesOf(tables.printedColumns),
    ],
    [
      'internalTypes',
      Object.entries(read('kube-apiserver/src/registry/generated/internal-types.json')),
      entriesOf(tables.internalTypes),
    ],
  ];
  // What OpenAPI says otherwise than the schemas is told from the schemas of this release.
  const fromHere = Object.fromEntries(tablesHere.map(([name, here, there]) => [name, rowChanges(here, there ?? here)]));
  tablesHere.push([
    'schemaExtras',
    Object.entries(read('apiserver/src/openapi/generated/schema-extras.json')),
    Object.entries(openAPIExtras(tables.openapi, new Release(names, [fromHere]))),
  ]);
  const packages = new PackageDescriptions();
  tablesHere.push([
    'descriptions',
    [],
    tables.descriptions === undefined
      ? undefined
      : descriptionRows(tables.descriptions, tables.openapi, (definition) => packages.definition(definition)),
  ]);
  return Object.fromEntries(
    tablesHere.flatMap(([name, here, there]) => {
      const before = neighbour.table(name, here);
      const changes = rowChanges(before, there ?? before);
      return changes.length === 0 ? [] : [[name, changes]];
    }),
  );
}

function entriesOf(table: Readonly<Record<string, unknown>> | undefined): Rows | undefined {
  return table === undefined ? undefined : Object.entries(table);
}
