import {
  baseFunctions,
  boolType,
  compileExpression,
  formerFunctions,
  formerPatchFunctions,
  isCompileFailure,
  isSameType,
  jsonPatchListType,
  mutationMessage,
  nullType,
  objectType,
  patchFunctions,
  runtimeTypeText,
  stringType,
} from '@kubechain/cel';
import type { CelType, Environment, Program } from '@kubechain/cel';
import { admissionVariables } from './variables.ts';
import type { OptionalVariables } from './variables.ts';

/** What is wrong with an expression, as its user is told. */
export interface ExpressionProblem {
  readonly kind: 'invalid' | 'internal';
  readonly text: string;
}

/** An expression of a policy or of a webhook's condition. */
export interface Expression {
  /** As it is written. */
  readonly source: string;
  /** Absent if there is a problem. */
  readonly program: Program | undefined;
  readonly problem: ExpressionProblem | undefined;
  /** Names of its variables, in the order in which the program takes them. */
  readonly variables: readonly string[];
}

/** Types that results may have. */
export const resultTypes: {
  readonly bool: readonly CelType[];
  readonly text: readonly CelType[];
  readonly textOrNull: readonly CelType[];
  readonly object: readonly CelType[];
  readonly jsonPatch: readonly CelType[];
} = {
  bool: [boolType],
  text: [stringType],
  textOrNull: [stringType, nullType],
  object: [objectType],
  jsonPatch: [jsonPatchListType],
};

/** The variables of a policy, for those that compile and evaluate with them. */
export interface ComposedVariables {
  /** The type of `variables`. */
  readonly type: CelType;
  readonly names: Iterable<string>;
  readonly size: number;
  get(name: string): Expression | undefined;
}

/** What an expression of a policy may use, and what may come of it. */
export interface CompileOptions extends OptionalVariables {
  /** Types that the result may have; any if absent. */
  readonly results: readonly CelType[] | undefined;
  /** The policy's own variables, if it has some. */
  readonly composition: ComposedVariables | undefined;
  /** It can make patches: `Object{…}` and `JSONPatch{…}`. */
  readonly patches?: boolean;
}

function functionsOf({ former = false, patches = false }: CompileOptions): Environment['functions'] {
  if (patches) return former ? formerPatchFunctions : patchFunctions;
  return former ? formerFunctions : baseFunctions;
}

/** Compiles an expression; what is wrong with it is in its `problem` (admission/plugin/cel/compile.go, 1.36). */
export function compileAdmissionExpression(source: string, options: CompileOptions): Expression {
  const environment: Environment = {
    variables: admissionVariables(options, options.composition?.type),
    functions: functionsOf(options),
    ...(options.patches === true ? { messages: mutationMessage } : {}),
    ...(options.former === true ? { withoutLists: true } : {}),
  };
  const variables = [...environment.variables.keys()];
  const wrong = (problem: ExpressionProblem): Expression => ({ source, program: undefined, problem, variables });
  const program = compileExpression(source, environment);
  if (isCompileFailure(program) && program.stage === 'check')
    return wrong({ kind: 'invalid', text: `compilation failed: ${program.text}` });
  const { results } = options;
  const { type } = program;
  if (results !== undefined && type !== undefined && !results.some((wanted) => isSameType(wanted, type))) {
    const wanted = results.map(runtimeTypeText);
    return wrong({
      kind: 'invalid',
      text:
        `must evaluate to ${wanted.length === 1 ? (wanted[0] ?? '') : `one of [${wanted.join(' ')}]`} but got ` +
        `${runtimeTypeText(type)}`,
    });
  }
  if (isCompileFailure(program))
    return wrong({ kind: 'internal', text: `program instantiation failed: ${program.text}` });
  return { source, program, problem: undefined, variables };
}
