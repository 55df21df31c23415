import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrapRoles } from './bootstrap-roles.ts';
import type { BootstrapRoles } from './bootstrap-roles.ts';
import type { Descriptions } from './description-changes.ts';
import { messagesOf, readFacts, withRemovedTypes } from './facts.ts';
import type { GoFacts, OpenAPISchema, ProtobufFacts } from './facts.ts';
import { kindTable } from './kinds.ts';
import type { KindRow } from './kinds.ts';
import { gatedResourceTable } from './gated-resources.ts';
import { optionalResourceTable } from './optional-resources.ts';
import type { AllResources } from './optional-resources.ts';
import { resourceTable } from './resources.ts';
import type { Columns, Discovery, EtcdPaths } from './resources.ts';
import { schemaTable } from './schemas.ts';

type Table = Readonly<Record<string, unknown>>;

/** The tables of one release, as its facts give them. */
export interface ReleaseTables {
  readonly openapi: Readonly<Record<string, OpenAPISchema>>;
  /** Types that the release does not have any more and that are served all the same where somebody asks for them. */
  readonly removed: GoFacts;
  readonly schemas: ReadonlyMap<string, string>;
  readonly kinds: readonly KindRow[];
  readonly groups: readonly unknown[];
  readonly resources: readonly unknown[];
  /** Absent where they were not recorded. */
  readonly optional: readonly unknown[] | undefined;
  /** The same. */
  readonly gated: readonly unknown[] | undefined;
  readonly descriptions: Descriptions | undefined;
  readonly roles: BootstrapRoles;
  readonly printedColumns: Table | undefined;
  readonly internalTypes: Table | undefined;
  readonly gates: Table | undefined;
}

/** @param ownTypes folder with the Go types of facts that have none, and with removed ones */
export function releaseTables(folder: string, ownTypes: string): ReleaseTables {
  const recorded = (name: string): boolean => existsSync(join(folder, name));
  const table = (name: string): Table | undefined => (recorded(name) ? readFacts<Table>(folder, name) : undefined);
  const removed = readFacts<GoFacts>(ownTypes, 'removed-types.json');
  const go = withRemovedTypes(
    readFacts<GoFacts>(recorded('go-types.json') ? folder : ownTypes, 'go-types.json'),
    removed,
  );
  const protobuf = { ...readFacts<ProtobufFacts>(folder, 'protobuf-fields.json'), ...messagesOf(removed) };
  const openapi = readFacts<Record<string, OpenAPISchema>>(folder, 'openapi-v3-schemas.json');
  const discovery = readFacts<Discovery>(folder, 'discovery.json');
  const etcd = readFacts<EtcdPaths>(folder, 'etcd-paths.json');
  const listed = (name: string): AllResources => ({
    discovery: readFacts<Discovery>(folder, `${name}/discovery.json`),
    columns: readFacts<Columns>(folder, `${name}/table-columns.json`),
    warnings: readFacts<Readonly<Record<string, string>>>(folder, `${name}/warnings.json`),
  });
  const { groups, resources } = resourceTable(discovery, etcd, readFacts<Columns>(folder, 'table-columns.json'), go);
  return {
    openapi,
    removed,
    schemas: schemaTable(go, openapi, protobuf),
    kinds: kindTable(go, openapi),
    groups,
    resources,
    optional: recorded('optional') ? optionalResourceTable(listed('optional'), discovery, { etcd, go }) : undefined,
    gated: recorded('gated')
      ? gatedResourceTable(listed('gated'), listed('optional').discovery, { etcd, go })
      : undefined,
    descriptions: recorded('descriptions.json') ? readFacts<Descriptions>(folder, 'descriptions.json') : undefined,
    roles: bootstrapRoles(join(folder, 'rbac-bootstrap')),
    printedColumns: table('printed-columns.json'),
    internalTypes: table('internal-types.json'),
    gates: table('feature-gates.json'),
  };
}
