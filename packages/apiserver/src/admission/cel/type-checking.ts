import { baseFunctions, compileExpression, dynType, isCompileFailure, objectOf } from '@kubechain/cel';
import type { CelType } from '@kubechain/cel';
import { fieldType } from './composition.ts';
import { admissionVariables } from './variables.ts';

/** What a policy's expressions are checked with. */
export interface TypeCheckingOptions {
  /** The type of `object` and `oldObject`. */
  readonly object: CelType;
  /** The type of `params`; `undefined` where the policy has no paramKind. */
  readonly params: CelType | undefined;
}

/**
 * Checks expressions of a policy against the type of an object (admission/plugin/policy/validating/typechecking.go,
 * 1.36). Each call takes as long as an expression takes to be compiled.
 */
export class TypeChecker {
  readonly #fields = new Map<string, CelType>();
  readonly #known: ReadonlyMap<string, CelType>;

  constructor({ object, params }: TypeCheckingOptions) {
    this.#known = new Map([
      ...admissionVariables(
        { params: params !== undefined, authorizer: true },
        objectOf('kubernetes.variables', this.#fields),
      ),
      ['object', object] as const,
      ['oldObject', object] as const,
      ...(params === undefined ? [] : [['params', params] as const]),
    ]);
  }

  /** Lets those that come behind use one of the policy's variables. */
  declare({ expression, name }: { readonly name: string; readonly expression: string }): void {
    const compiled = this.#compile(expression);
    this.#fields.set(name, isCompileFailure(compiled) ? dynType : fieldType(compiled.type));
  }

  /** What is wrong with one as text of cel-go, undefined where nothing is. */
  problemOf(expression: string): string | undefined {
    const compiled = this.#compile(expression);
    return isCompileFailure(compiled) && compiled.stage === 'check' ? compiled.text : undefined;
  }

  #compile(source: string): ReturnType<typeof compileExpression> {
    return compileExpression(source, { variables: this.#known, functions: baseFunctions });
  }
}
