import type { OptionalVariables } from '../cel/variables.ts';
import { Activation, BudgetError, costBudget } from '../cel/activation.ts';
import type { ActivationInput, Outcome } from '../cel/activation.ts';
import { Composition } from '../cel/composition.ts';
import { compileAdmissionExpression, resultTypes } from '../cel/expression.ts';
import type { Expression } from '../cel/expression.ts';
import { MatchConditions } from '../cel/match-conditions.ts';
import type { Steps } from '../../request/stepwise.ts';
import type { ValidatingPolicySpec } from './stored-policy.ts';

/** What a validation says of a request. */
export type Decision =
  | { readonly kind: 'admit' }
  | {
      readonly kind: 'deny';
      readonly message: string;
      /** A StatusReason; '' for expressions that failed. */ readonly reason: string;
    };

/** An audit annotation, or why it makes the request fail. */
export type PolicyAnnotation =
  | { readonly kind: 'publish'; readonly key: string; readonly value: string }
  | { readonly kind: 'error'; readonly message: string };

export interface ValidationResult {
  /** One for each validation, or one for what went wrong before. */
  readonly decisions: readonly Decision[];
  readonly annotations: readonly PolicyAnnotation[];
}

interface CompiledValidation {
  readonly expression: Expression;
  readonly messageExpression: Expression | undefined;
  readonly message: string;
  readonly reason: string;
}

interface CompiledAnnotation {
  readonly key: string;
  readonly expression: Expression;
}

interface CompiledParts {
  readonly conditions: MatchConditions;
  readonly composition: Composition;
  readonly validations: readonly CompiledValidation[];
  readonly annotations: readonly CompiledAnnotation[];
  readonly ignoresFailures: boolean;
}

/** Longer messages of expressions are not shown (apiserver/pkg/apis/cel MaxEvaluatedMessageExpressionSizeBytes). */
const maxMessageBytes = 5 * 1024;
const admit: Decision = { kind: 'admit' };

/** The expressions of a ValidatingAdmissionPolicy (policy/validating/validator.go, 1.36). */
export class ValidatingPolicy {
  readonly #conditions: MatchConditions;
  readonly #composition: Composition;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly CompiledAnnotation[];
  readonly #ignoresFailures: boolean;

  private constructor({ annotations, composition, conditions, ignoresFailures, validations }: CompiledParts) {
    this.#conditions = conditions;
    this.#composition = composition;
    this.#validations = validations;
    this.#annotations = annotations;
    this.#ignoresFailures = ignoresFailures;
  }

  /** A step for each validation, variable and annotation. */
  static *compile({
    auditAnnotations = [],
    failurePolicy,
    matchConditions = [],
    paramKind,
    validations = [],
    variables = [],
  }: ValidatingPolicySpec): Steps<ValidatingPolicy> {
    const composition = new Composition();
    const optional: OptionalVariables = { params: paramKind !== undefined, authorizer: true };
    for (const { expression, name } of variables) {
      composition.add(name, expression, optional);
      yield;
    }
    const conditions = new MatchConditions(matchConditions, { params: optional.params, composition, failurePolicy });
    const compiled: CompiledValidation[] = [];
    for (const { expression, message = '', messageExpression = '', reason = 'Invalid' } of validations) {
      compiled.push({
        expression: compileAdmissionExpression(expression, { ...optional, results: resultTypes.bool, composition }),
        message,
        reason,
        messageExpression:
          messageExpression === ''
            ? undefined
            : compileAdmissionExpression(messageExpression, {
                ...optional,
                authorizer: false,
                results: resultTypes.text,
                composition,
              }),
      });
      yield;
    }
    const annotations: CompiledAnnotation[] = [];
    for (const { key, valueExpression } of auditAnnotations) {
      const results = resultTypes.textOrNull;
      annotations.push({
        key,
        expression: compileAdmissionExpression(valueExpression, { ...optional, results, composition }),
      });
      yield;
    }
    const ignoresFailures = failurePolicy === 'Ignore';
    return new ValidatingPolicy({ annotations, composition, conditions, ignoresFailures, validations: compiled });
  }

  /** Evaluates it for one request and one object of params: a step for each expression. */
  *validate(input: ActivationInput): Steps<ValidationResult> {
    yield;
    if (!this.#conditions.empty) {
      const result = this.#conditions.match(input);
      if (result.kind === 'unmet') return { decisions: [], annotations: [] };
      if (result.kind === 'error') return { decisions: [this.#failed(result.text)], annotations: [] };
    }
    try {
      return { decisions: yield* this.#decide(input), annotations: yield* this.#annotate(input) };
    } catch (error) {
      if (error instanceof BudgetError) return { decisions: [this.#failed(error.message)], annotations: [] };
      throw error;
    }
  }

  #failed(message: string): Decision {
    return this.#ignoresFailures ? admit : { kind: 'deny', message, reason: '' };
  }

  #activation(input: ActivationInput, budget: number): Activation {
    return new Activation(input, { budget, composition: this.#composition });
  }

  *#decide(input: ActivationInput): Steps<readonly Decision[]> {
    const activation = this.#activation(input, costBudget);
    const outcomes: Outcome[] = [];
    for (const { expression } of this.#validations) {
      outcomes.push(activation.evaluate(expression));
      yield;
    }
    const messages = yield* this.#messages(this.#activation(input, activation.budget));
    return outcomes.map((outcome, i): Decision => {
      if (outcome.kind === 'error') return this.#failed(outcome.text);
      if (messages instanceof BudgetError) return this.#failed(`failed messageExpression: ${messages.message}`);
      const validation = this.#validations[i];
      if (outcome.value === true || validation === undefined) return admit;
      return { kind: 'deny', message: failureMessage(validation, messages[i]), reason: validation.reason };
    });
  }

  /** All of them, also those of validations that hold: their cost counts. */
  *#messages(activation: Activation): Steps<readonly (Outcome | undefined)[] | BudgetError> {
    const outcomes: (Outcome | undefined)[] = [];
    try {
      for (const { messageExpression } of this.#validations) {
        outcomes.push(messageExpression === undefined ? undefined : activation.evaluate(messageExpression));
        if (messageExpression !== undefined) yield;
      }
      return outcomes;
    } catch (error) {
      if (error instanceof BudgetError) return error;
      throw error;
    }
  }

  *#annotate(input: ActivationInput): Steps<readonly PolicyAnnotation[]> {
    if (this.#annotations.length === 0) return [];
    const activation = this.#activation(input, costBudget);
    const annotations: PolicyAnnotation[] = [];
    for (const { expression, key } of this.#annotations) {
      const outcome = activation.evaluate(expression);
      const value = outcome.kind === 'value' && typeof outcome.value === 'string' ? outcome.value.trim() : '';
      if (value !== '') annotations.push({ kind: 'publish', key, value });
      else if (outcome.kind === 'error' && !this.#ignoresFailures)
        annotations.push({ kind: 'error', message: outcome.text });
      yield;
    }
    return annotations;
  }
}

/**
 * What the message's expression gives, unless that is blank, too long or more than a line; then the message; then the
 * expression.
 */
function failureMessage({ expression, message }: CompiledValidation, outcome: Outcome | undefined): string {
  const given = outcome?.kind === 'value' && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  if (given !== '' && Buffer.byteLength(given) <= maxMessageBytes && !given.includes('\n')) return given;
  return message === '' ? `failed expression: ${expression.source.trim()}` : message.trim();
}
