import { builtinResourceTables, formerResources, preferredResource } from '../runtime/resource-facts.ts';
import type { GroupFacts, OptionalResourceFacts, ResourceFacts, ResourceTables } from '../runtime/resource-facts.ts';
import { gatedResources } from '../runtime/gated-resources.ts';
import type { DefaultableScheme } from '../runtime/create-scheme.ts';
import { builtinDefinitions, schemaFor } from '../schema/builtin.ts';
import { SchemaTable } from '../schema/schema-table.ts';
import type { Schema } from '../schema/schema.ts';
import { builtinKindRows, builtinScheme, schemeOf } from './builtin-scheme.ts';
import type { KindRow } from './builtin-scheme.ts';
import { applyRowChanges } from './row-changes.ts';
import type { RowChange } from './row-changes.ts';

/** What one release says otherwise than its neighbour, by table. */
export type ReleaseChanges = Readonly<Record<string, readonly RowChange[]>>;

/**
 * The facts of one release of Kubernetes: kinds, schemas, resources, and whatever other tables the packages keep. One
 * release is what the checked-in tables are made for; others are that one with changes made, from neighbour to
 * neighbour.
 */
export class Release implements ResourceTables {
  /** `1.36` */
  readonly version: string;
  /** Of the reference whose facts these are: `v1.36.2`. */
  readonly gitVersion: string;
  readonly groups: readonly GroupFacts[];
  readonly resources: readonly ResourceFacts[];
  readonly optional: readonly OptionalResourceFacts[];
  /** The schema of a built-in definition. @throws UnknownDefinitionError */
  readonly schemaFor: (definition: string) => Schema;
  readonly #changes: readonly ReleaseChanges[];
  #scheme: DefaultableScheme | undefined;

  /** @param changes none for the release of the checked-in tables */
  constructor(names: Pick<Release, 'version' | 'gitVersion'>, changes: readonly ReleaseChanges[]) {
    this.version = names.version;
    this.gitVersion = names.gitVersion;
    this.#changes = changes;
    this.groups = this.table('groups', builtinResourceTables.groups);
    this.resources = this.table('resources', builtinResourceTables.resources);
    this.optional = [
      ...this.table('optional', builtinResourceTables.optional),
      ...gatedResources(this.version),
      ...formerResources(),
    ];
    this.schemaFor =
      changes.length === 0
        ? schemaFor
        : new SchemaTable(new Map(this.table('definitions', [...builtinDefinitions]))).schemaFor;
  }

  /** A table as it is in this release, of its rows in the checked-in one. */
  table<Row>(name: string, rows: readonly Row[]): readonly Row[] {
    return this.#changes.reduce(
      (table, changes) => applyRowChanges(table, (changes[name] ?? []) as readonly RowChange<Row>[]),
      rows,
    );
  }

  /** All kinds, without the defaulting functions of a server; made on first use. */
  get scheme(): DefaultableScheme {
    return (this.#scheme ??=
      this.#changes.length === 0
        ? builtinScheme()
        : schemeOf(this.table<KindRow>('kinds', builtinKindRows), this.schemaFor));
  }

  /** As `preferredResource` of this release. */
  preferredResource(group: string, resource: string): ResourceFacts | undefined {
    return preferredResource(group, resource, this);
  }

  /** Whether the release is this one or a later one: `release.since('1.37')`. */
  since(version: string): boolean {
    return minorOf(this.version) >= minorOf(version);
  }
}

/** `1.36` → 36 */
export function minorOf(version: string): number {
  return Number(version.slice(version.indexOf('.') + 1));
}
