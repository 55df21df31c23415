import { forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { maxCost } from '@kubechain/cel';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import type { RuleNode } from '../validation/rule-checker.ts';

/**
 * The highest cost that one expression may have, run as often as its values can occur, and all of a schema together
 * (apiextensions/validation, 1.36).
 */
export const expressionCostLimit = 10_000_000;
const schemaCostLimit = 100_000_000;
const mostExpensive = 4;

/** How often values of a node can occur in one object; undefined where a list or map above has no limit. */
export function cardinalityOf(root: JSONSchemaProps, ancestry: RuleNode['ancestry']): number | undefined {
  let cardinality = 1;
  for (const parent of [root, ...ancestry.map(({ schema }) => schema)].slice(0, -1)) {
    const factor = entriesOf(parent);
    if (factor === undefined) return undefined;
    cardinality = Math.min(cardinality * factor, maxCost);
  }
  return cardinality;
}

/** How many values of the kind below a value can have at most; objects have each field once. */
function entriesOf({ type, additionalProperties, maxProperties, maxItems }: JSONSchemaProps): number | undefined {
  if (type === 'array') return maxItems === undefined ? undefined : Math.max(Number(maxItems), 0);
  if (type !== 'object' || additionalProperties === undefined) return 1;
  return maxProperties === undefined ? undefined : Math.max(Number(maxProperties), 0);
}

/** The cost of all runs of an expression. */
export function totalCost(cost: number, cardinality: number): number {
  return cost === 0 ? 0 : Math.min(cost * cardinality, maxCost);
}

/** Says by how much a cost is too high. */
export function costProblem(what: string, cost: number, limit = expressionCostLimit): string {
  const excess = cost / limit;
  const factor = excess > 100 ? 'more than 100x' : excess < 1.5 ? `${excess.toFixed(6)}x` : `${excess.toFixed(1)}x`;
  return (
    `${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, ` +
    'maxProperties, and maxLength where arrays, maps, and strings are declared)'
  );
}

/** Adds up the costs of a schema's rules. */
export class SchemaCosts {
  #total = 0;
  #expensive: { readonly path: FieldPath; readonly cost: number }[] = [];

  add(path: FieldPath, cost: number): void {
    this.#total = Math.min(this.#total + cost, maxCost);
    if (cost < schemaCostLimit / 100) return;
    this.#expensive = [...this.#expensive, { path, cost }].sort((a, b) => b.cost - a.cost).slice(0, mostExpensive);
  }

  /** What is wrong with all of them together. */
  problems(path: FieldPath): readonly FieldError[] {
    if (this.#total <= schemaCostLimit) return [];
    return [
      ...this.#expensive.map((one) =>
        forbiddenValue(
          one.path,
          'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
        ),
      ),
      forbiddenValue(
        path,
        costProblem(
          'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema',
          this.#total,
          schemaCostLimit,
        ),
      ),
    ];
  }
}
