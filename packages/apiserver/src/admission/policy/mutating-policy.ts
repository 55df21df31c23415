import { Composition } from '../cel/composition.ts';
import { MatchConditions } from '../cel/match-conditions.ts';
import { Mutation } from './mutation.ts';
import type { MutatingPolicySpec } from './stored-policy.ts';

/** The expressions of a MutatingAdmissionPolicy (policy/mutating/compilation.go, 1.36). */
export class MutatingPolicy {
  readonly conditions: MatchConditions;
  readonly mutations: readonly Mutation[];

  constructor({ failurePolicy, matchConditions = [], mutations = [], paramKind, variables = [] }: MutatingPolicySpec) {
    const composition = new Composition();
    const params = paramKind !== undefined;
    for (const { expression, name } of variables) composition.add(name, expression, { params, authorizer: true });
    this.conditions = new MatchConditions(matchConditions, { params, composition, failurePolicy });
    this.mutations = mutations.map((mutation) => new Mutation(mutation, { composition, params }));
  }
}
