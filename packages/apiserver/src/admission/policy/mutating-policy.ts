import { Composition } from '../cel/composition.ts';
import { MatchConditions } from '../cel/match-conditions.ts';
import { Mutation } from './mutation.ts';
import type { Steps } from '../../request/stepwise.ts';
import type { MutatingPolicySpec } from './stored-policy.ts';

/** The expressions of a MutatingAdmissionPolicy (policy/mutating/compilation.go, 1.36). */
export class MutatingPolicy {
  readonly conditions: MatchConditions;
  readonly mutations: readonly Mutation[];

  private constructor(conditions: MatchConditions, mutations: readonly Mutation[]) {
    this.conditions = conditions;
    this.mutations = mutations;
  }

  /** A step for each expression. */
  static *compile({
    failurePolicy,
    matchConditions = [],
    mutations = [],
    paramKind,
    variables = [],
  }: MutatingPolicySpec): Steps<MutatingPolicy> {
    const composition = new Composition();
    const params = paramKind !== undefined;
    for (const { expression, name } of variables) {
      composition.add(name, expression, { params, authorizer: true });
      yield;
    }
    const conditions = new MatchConditions(matchConditions, { params, composition, failurePolicy });
    const compiled: Mutation[] = [];
    for (const mutation of mutations) {
      compiled.push(new Mutation(mutation, { composition, params }));
      yield;
    }
    return new MutatingPolicy(conditions, compiled);
  }
}
