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
  /** The policy's variables, in their order. */
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
}

/**
 * Checks expressions of a policy against the type of an object: what is wrong with one as text of cel-go, undefined
 * where nothing is (admission/plugin/policy/validating/typechecking.go, 1.36).
 */
export function typeChecker(options: TypeCheckingOptions): (expression: string) => string | undefined {
  const { object, params, variables } = options;
  const fields = new Map<string, CelType>();
  const known = new Map([
    ...admissionVariables({ params: params !== undefined, authorizer: true }, objectOf('kubernetes.variables', fields)),
    ['object', object] as const,
    ['oldObject', object] as const,
    ...(params === undefined ? [] : [['params', params] as const]),
  ]);
  const compile = (source: string): ReturnType<typeof compileExpression> =>
    compileExpression(source, { variables: known, functions: baseFunctions });
  for (const { expression, name } of variables) {
    const compiled = compile(expression);
    fields.set(name, isCompileFailure(compiled) ? dynType : fieldType(compiled.type));
  }
  return (expression) => {
    const compiled = compile(expression);
    return isCompileFailure(compiled) && compiled.stage === 'check' ? compiled.text : undefined;
  };
}
