import { goQuote } from '@kubechain/apimachinery';
import { CelError, dynType, Interruption, isCelError, listOf, mapOf, objectOf } from '@kubechain/cel';
import type { CelMap, CelType } from '@kubechain/cel';
import { compileAdmissionExpression } from './expression.ts';
import type { ComposedVariables, Expression } from './expression.ts';
import type { OptionalVariables } from './variables.ts';

/** The variables of a policy. Each can use those before it (admission/plugin/cel/composition.go, 1.36). */
export class Composition implements ComposedVariables {
  /** The type of `variables`; has a field for each variable that was added. */
  readonly type: CelType;
  readonly #fields = new Map<string, CelType>();
  readonly #expressions = new Map<string, Expression>();

  constructor() {
    this.type = objectOf('kubernetes.variables', this.#fields);
  }

  /** Compiles a variable; one that is wrong is known too, and fails when it is read. */
  add(name: string, source: string, options: OptionalVariables): Expression {
    const expression = compileAdmissionExpression(source, { ...options, results: undefined, composition: this });
    this.#fields.set(name, expression.program === undefined ? dynType : fieldType(expression.program.type));
    this.#expressions.set(name, expression);
    return expression;
  }

  get names(): Iterable<string> {
    return this.#expressions.keys();
  }
  get size(): number {
    return this.#expressions.size;
  }
  get(name: string): Expression | undefined {
    return this.#expressions.get(name);
  }
}

/** Objects and values of libraries lose their type. */
export function fieldType(type: CelType): CelType {
  const [first = dynType, second = dynType] = type.params;
  switch (type.kind) {
    case 'simple':
    case 'null':
      return type;
    case 'list':
      return listOf(fieldType(first));
    case 'map':
      return mapOf(fieldType(first), fieldType(second));
    default:
      return dynType;
  }
}

/** Variables that are evaluated within each other: each takes a part of the call stack. */
const mostNested = 32;

/** How the variables of an activation are evaluated. */
export interface VariableRuns {
  readonly run: (expression: Expression) => { readonly result: unknown; readonly cost: number };
  /** @throws BudgetError where that is more than the variables may cost */
  readonly afford: (cost: number) => void;
}

/**
 * Values of `variables` in one evaluation: each is evaluated when it is first read. Of those that read each other in a
 * long line the innermost ones are evaluated first, and those around them begun again.
 */
export class ComposedValues implements CelMap {
  readonly isMap = true;
  readonly #composition: Composition;
  readonly #runs: VariableRuns;
  readonly #values = new Map<string, unknown>();
  #cost = 0;
  /** What was begun again had cost before. */
  #abandonedCost = 0;
  #nested = 0;

  constructor(composition: Composition, runs: VariableRuns) {
    this.#composition = composition;
    this.#runs = runs;
  }

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  get size(): number {
    return this.#composition.size;
  }
  keys(): Iterable<string> {
    return this.#composition.names;
  }

  get(name: unknown): unknown {
    if (typeof name !== 'string') return new CelError('no such overload');
    if (this.#values.has(name)) return this.#values.get(name);
    if (this.#composition.get(name) === undefined) return undefined;
    if (this.#nested >= mostNested) throw new NestedVariable(name);
    if (this.#nested > 0) this.#keep(name);
    else this.#keepAll(name);
    return this.#values.get(name);
  }

  /** Evaluates one, and before it those that it needs and that are nested too deeply within it. */
  #keepAll(name: string): void {
    const wanted = [name];
    for (let next = wanted.at(-1); next !== undefined; next = wanted.at(-1))
      try {
        this.#keep(next);
        wanted.pop();
      } catch (error) {
        if (!(error instanceof NestedVariable)) throw error;
        this.#abandonedCost += error.cost;
        this.#afford();
        wanted.push(error.variable);
      }
  }

  #keep(name: string): void {
    this.#nested++;
    try {
      this.#values.set(name, this.#evaluate(name));
    } finally {
      this.#nested--;
    }
  }

  /** @throws BudgetError */
  #afford(): void {
    this.#runs.afford(this.#cost + this.#abandonedCost);
  }

  #evaluate(name: string): unknown {
    const expression = this.#composition.get(name);
    if (expression?.program === undefined)
      return new CelError(`composited variable ${goQuote(name)} fails to compile: ${expression?.problem?.text ?? ''}`);
    const { cost, result } = this.#runs.run(expression);
    this.#cost += cost;
    this.#afford();
    return isCelError(result)
      ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${result.message}`)
      : result;
  }
}

/** A variable is to be evaluated before those that are under way go on. */
class NestedVariable extends Interruption {
  readonly variable: string;

  constructor(variable: string) {
    super(`variable ${variable} is nested too deeply`);
    this.variable = variable;
  }
}
