import type { Schema } from './schema.ts';

/**
 * The schema of a built-in definition, e.g. `io.k8s.api.core.v1.Pod`; built on first use, then shared.
 *
 * @throws UnknownDefinitionError when no table has it
 */
export function schemaFor(definition: string): Schema {
  throw new UnknownDefinitionError(definition);
}

/** A definition name that no generated table has: a programming error, not a user's. */
export class UnknownDefinitionError extends Error {
  override readonly name = 'UnknownDefinitionError';
  constructor(definition: string) {
    super(`no schema definition ${JSON.stringify(definition)}`);
  }
}
