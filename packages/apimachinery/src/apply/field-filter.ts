import type { FieldSet } from './field-set.ts';
import { fieldSetOf, recursiveDifference } from './field-set.ts';

/**
 * Which fields a (sub)resource manages: all but a strategy's reset fields, and what is below them. Paths are names of
 * fields, such as `['spec', 'replicas']`.
 */
export interface FieldFilter {
  readonly without: readonly (readonly string[])[];
}

/** Applies a filter to sets; compiled once. */
export type CompiledFilter = (set: FieldSet) => FieldSet;

export function compileFilter({ without }: FieldFilter): CompiledFilter {
  const left = leftOutBy({ without });
  return (set) => recursiveDifference(set, left);
}

/** The fields that a filter leaves out, as a set. */
export function leftOutBy({ without }: FieldFilter): FieldSet {
  return fieldSetOf(...without.map((path) => path.map((name) => `f:${name}`)));
}
