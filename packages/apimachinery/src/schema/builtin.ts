import table from '../generated/schemas.json' with { type: 'json' };
import { SchemaTable } from './schema-table.ts';
import type { Schema } from './schema.ts';

/** Notation by definition name, as in the tables of the release that they are made for. */
export const builtinDefinitions: ReadonlyMap<string, string> = new Map(Object.entries(table.definitions));

const schemas = new SchemaTable(builtinDefinitions);

/**
 * The schema of a built-in definition, e.g. `io.k8s.api.core.v1.Pod`; built on first use, then shared. What is another
 * in another release has a schema of its own there (`Release.schemaFor`).
 *
 * @throws UnknownDefinitionError when no table has it
 */
export function schemaFor(definition: string): Schema {
  return schemas.schemaFor(definition);
}

/** All built-in definition names. */
export function definitionNames(): Iterable<string> {
  return schemas.names();
}
