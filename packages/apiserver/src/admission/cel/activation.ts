import type { Authorizer } from '../../authorization/authorizer.ts';
import { RequestAuthorizer, ResourceCheck, fromPlainJSON, isCelError, perCallLimit } from '@kubechain/cel';
import type { Evaluation } from '@kubechain/cel';
import type { AdmissionAttributes } from '../admission.ts';
import { admissionRequest } from './admission-request.ts';
import type { VersionedObjects } from './admission-request.ts';
import { ComposedValues } from './composition.ts';
import type { Composition } from './composition.ts';
import type { Expression } from './expression.ts';

/** What the expressions about one request may cost together, and those of conditions (apiserver/pkg/apis/cel, 1.36). */
export const costBudget = 10_000_000;
export const conditionsCostBudget = costBudget / 4;

/** Where the variables of expressions come from. */
export interface ActivationInput {
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedObjects;
  /** The namespace as {@link namespaceValue} shows it; null for none. */
  readonly namespace: object | null;
  /** Plain JSON; null for none. */
  readonly params: unknown;
  readonly authorizer: Authorizer;
}

/** A result, or the text of what went wrong. */
export type Outcome =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'error'; readonly text: string };

/** The expressions of one list cost more than they may together. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  override readonly message =
    'validation failed due to running out of cost budget, no further validation rules will be run';
}

/**
 * Evaluates the expressions of one list, in order and out of one budget (admission/plugin/cel/activation.go, 1.36).
 * Values are made when they are first read.
 */
export class Activation {
  readonly #input: ActivationInput;
  readonly #values = new Map<string, unknown>();
  readonly #composed: ComposedValues | undefined;
  #budget: number;

  constructor(
    input: ActivationInput,
    { budget, composition }: { readonly budget: number; readonly composition: Composition | undefined },
  ) {
    this.#input = input;
    this.#budget = budget;
    this.#composed =
      composition === undefined
        ? undefined
        : new ComposedValues(composition, {
            run: (expression) => this.#run(expression),
            afford: (cost) => this.#check(cost),
          });
  }

  /** What is left of the budget. */
  get budget(): number {
    return this.#budget;
  }

  /** @throws BudgetError */
  evaluate(expression: Expression): Outcome {
    if (expression.problem !== undefined) {
      return { kind: 'error', text: `compilation error: ${expression.problem.text}` };
    }
    const { cost, result } = this.#run(expression);
    this.#spend(this.#composed?.takeCost() ?? 0);
    this.#spend(cost);
    return isCelError(result)
      ? { kind: 'error', text: `expression '${expression.source}' resulted in error: ${result.message}` }
      : { kind: 'value', value: result };
  }

  #spend(cost: number): void {
    this.#check(cost);
    this.#budget -= cost;
  }

  #check(cost: number): void {
    if (cost > this.#budget) throw new BudgetError();
  }

  #run({ program, variables }: Expression): Evaluation {
    if (program === undefined) throw new TypeError('an expression that does not compile is not evaluated');
    return program.run(
      variables.map((name) => (program.reads.has(name) ? this.#value(name) : undefined)),
      perCallLimit,
    );
  }

  #value(name: string): unknown {
    if (!this.#values.has(name)) this.#values.set(name, this.#make(name));
    return this.#values.get(name);
  }

  #make(name: string): unknown {
    const { attributes, authorizer, namespace, objects, params } = this.#input;
    switch (name) {
      case 'object':
        return fromPlainJSON(objects.object);
      case 'oldObject':
        return fromPlainJSON(objects.oldObject);
      case 'params':
        return fromPlainJSON(params);
      case 'namespaceObject':
        return fromPlainJSON(namespace);
      case 'request':
        return fromPlainJSON(admissionRequest(attributes, objects.form));
      case 'authorizer':
        return new RequestAuthorizer({ authorizer, user: attributes.user });
      case 'authorizer.requestResource': {
        const {
          name: objectName,
          namespace: of,
          resource: { group, resource },
          subresource,
          user,
        } = attributes;
        return new ResourceCheck({
          of: new RequestAuthorizer({ authorizer, user }),
          group,
          resource,
          subresource,
          namespace: of,
          name: objectName,
        });
      }
      case 'variables':
        return this.#composed;
      default:
        throw new TypeError(`no variable ${name}`);
    }
  }
}
