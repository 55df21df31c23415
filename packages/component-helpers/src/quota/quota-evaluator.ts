import { Quantity, type GroupResource, type KubeObject } from '@kubechain/apimachinery';
import type { Amounts } from './amounts.ts';

/** A scope of a quota, or one of its scopeSelector. */
export interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** What of a write an evaluator looks at. */
export interface QuotaWrite {
  readonly operation: string;
  readonly subresource: string;
  readonly object?: KubeObject | undefined;
  readonly oldObject?: KubeObject | undefined;
}

/** Knows what objects of one resource use (quota/v1 Evaluator). */
export interface QuotaEvaluator {
  /** Whether a write can change what is used. */
  handles(write: QuotaWrite): boolean;
  /** The names, out of those that a quota limits, of what objects of this resource use. */
  matchingResources(names: readonly string[]): readonly string[];
  matchesScope(scope: ScopeRequirement, object: KubeObject): boolean;
  /** Why an object may not be counted: it must say what it uses of `required`. undefined: it may. */
  constraint?(required: readonly string[], object: KubeObject): string | undefined;
  usage(object: KubeObject): Amounts;
}

export const one = new Quantity(1n);

/** `count/widgets.example.com`: the name under which objects of any resource are counted. */
export function objectCountName({ group, resource }: GroupResource): string {
  return `count/${resource}${group === '' ? '' : `.${group}`}`;
}

/** Counts objects, under an alias of old as well where there is one. */
export function objectCountEvaluator(groupResource: GroupResource, alias?: string): QuotaEvaluator {
  const counted = alias === undefined ? [objectCountName(groupResource)] : [objectCountName(groupResource), alias];
  const usage: Amounts = new Map(counted.map((name) => [name, one]));
  return {
    handles: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    matchingResources: (names) => names.filter((name) => counted.includes(name)),
    matchesScope: () => false,
    usage: () => usage,
  };
}
