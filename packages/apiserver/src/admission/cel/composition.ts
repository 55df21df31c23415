import { goQuote } from '@kubechain/apimachinery';
import { CelError, dynType, isCelError, listOf, mapOf, objectOf } from '@kubechain/cel';
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

/** Values of `variables` in one evaluation: each is evaluated when it is first read. */
export class ComposedValues implements CelMap {
  readonly isMap = true;
  readonly #composition: Composition;
  readonly #run: (expression: Expression) => { readonly result: unknown; readonly cost: number };
  readonly #values = new Map<string, unknown>();
  #cost = 0;

  constructor(
    composition: Composition,
    run: (expression: Expression) => { readonly result: unknown; readonly cost: number },
  ) {
    this.#composition = composition;
    this.#run = run;
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
    const expression = this.#composition.get(name);
    if (expression === undefined) return undefined;
    const value = this.#evaluate(name, expression);
    this.#values.set(name, value);
    return value;
  }

  #evaluate(name: string, expression: Expression): unknown {
    if (expression.program === undefined)
      return new CelError(`composited variable ${goQuote(name)} fails to compile: ${expression.problem?.text ?? ''}`);
    const { cost, result } = this.#run(expression);
    this.#cost += cost;
    return isCelError(result)
      ? new CelError(`composited variable ${goQuote(name)} fails to evaluate: ${result.message}`)
      : result;
  }
}
