import type { FieldNode, FieldSet } from './field-set.ts';
import { fieldSetOf, put, recursiveDifference } from './field-set.ts';
import type { PathElement } from './path-element.ts';

/** Any path element, in the paths of an `include` filter. */
export const ANY_ELEMENT = Symbol('any path element');

/**
 * Which fields a (sub)resource manages: a strategy's reset fields. Paths are names of fields, such as
 * `['spec', 'replicas']`.
 *
 * - `exclude`: all fields but these and what is below them
 * - `include`: only these and what is below them
 */
export type FieldFilter =
  | { readonly kind: 'exclude'; readonly paths: readonly (readonly string[])[] }
  | { readonly kind: 'include'; readonly paths: readonly (readonly (string | typeof ANY_ELEMENT)[])[] };

/** Applies a filter to sets; compiled once. */
export type CompiledFilter = (set: FieldSet) => FieldSet;

export function compileFilter(filter: FieldFilter): CompiledFilter {
  if (filter.kind === 'exclude') {
    const excluded = fieldSetOf(...filter.paths.map((path) => path.map((name) => `f:${name}`)));
    return (set) => recursiveDifference(set, excluded);
  }
  const { paths } = filter;
  return (set) => include(set, paths, 0);
}

/** What of a set lies on or below one of the paths; `depth` steps of each have matched already. */
function include(set: FieldSet, paths: readonly (readonly (string | typeof ANY_ELEMENT)[])[], depth: number): FieldSet {
  if (paths.some((path) => path.length === depth)) return set;
  const out = new Map<PathElement, FieldNode>();
  for (const [element, node] of set) {
    const matching = paths.filter((path) => path[depth] === ANY_ELEMENT || `f:${String(path[depth])}` === element);
    if (matching.length === 0) continue;
    const children = node.children === undefined ? undefined : include(node.children, matching, depth + 1);
    put(out, element, node.member, children === undefined || children.size === 0 ? undefined : children);
  }
  return out;
}
