import { Activation, BudgetError, conditionsCostBudget } from './activation.ts';
import type { ActivationInput } from './activation.ts';
import type { Composition } from './composition.ts';
import { compileAdmissionExpression, resultTypes } from './expression.ts';
import type { Expression } from './expression.ts';

/** A condition as it stands in a configuration. */
export interface StoredCondition {
  readonly name: string;
  readonly expression: string;
}

/** Whether conditions are met; an error where they cannot tell and the failure policy is Fail. */
export type ConditionsResult =
  | { readonly kind: 'met' }
  | { readonly kind: 'unmet'; readonly condition: string }
  | { readonly kind: 'error'; readonly text: string };

export interface MatchConditionsOptions {
  readonly params: boolean;
  readonly composition: Composition | undefined;
  readonly failurePolicy: string | undefined;
}

const met: ConditionsResult = { kind: 'met' };

/** `matchConditions` of a webhook or policy: all have to be true (webhook/matchconditions/matcher.go, 1.36). */
export class MatchConditions {
  readonly #conditions: readonly StoredCondition[];
  readonly #options: MatchConditionsOptions;
  /** From the first request on: configurations may have thousands of webhooks that no request matches. */
  #compiled: readonly { readonly name: string; readonly expression: Expression }[] | undefined;

  constructor(conditions: readonly StoredCondition[], options: MatchConditionsOptions) {
    this.#conditions = conditions;
    this.#options = options;
  }

  get empty(): boolean {
    return this.#conditions.length === 0;
  }

  /**
   * A condition that is false decides, also beside ones that fail. They do not see the namespace, and the resource only
   * as it was asked for.
   */
  match(input: Omit<ActivationInput, 'namespace'>): ConditionsResult {
    const {
      attributes: { resource },
      objects,
    } = input;
    const activation = new Activation(
      { ...input, objects: { ...objects, form: { ...objects.form, resource } }, namespace: null },
      { budget: conditionsCostBudget, composition: this.#options.composition },
    );
    const conditions = (this.#compiled ??= this.#compile());
    const errors: string[] = [];
    let unmet: string | undefined;
    try {
      // All are evaluated before any decides, so that their cost counts.
      for (const { expression, name } of conditions) {
        const outcome = activation.evaluate(expression);
        if (outcome.kind === 'error') errors.push(outcome.text);
        else if (outcome.value === false) unmet ??= name;
      }
    } catch (error) {
      if (!(error instanceof BudgetError)) throw error;
      return this.#failed(error.message);
    }
    if (unmet !== undefined) return { kind: 'unmet', condition: unmet };
    if (errors.length === 0) return met;
    const distinct = [...new Set(errors)];
    return this.#failed(distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`);
  }

  #compile(): readonly { readonly name: string; readonly expression: Expression }[] {
    const { composition, params } = this.#options;
    return this.#conditions.map(({ name, expression }) => ({
      name,
      expression: compileAdmissionExpression(expression, {
        params,
        authorizer: true,
        results: resultTypes.bool,
        composition,
      }),
    }));
  }

  #failed(text: string): ConditionsResult {
    return this.#options.failurePolicy === 'Ignore' ? { kind: 'unmet', condition: '' } : { kind: 'error', text };
  }
}
