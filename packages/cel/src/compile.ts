import { check } from './checker.ts';
import { checkLiterals } from './literal-checks.ts';
import { estimateCost } from './cost/estimate.ts';
import type { SizeHints } from './cost/estimate.ts';
import type { Range } from './cost/ranges.ts';
import type { Environment } from './environment.ts';
import { CostError, Frame, Interruption } from './plan/frame.ts';
import { plan } from './plan/planner.ts';
import { formatProblems } from './syntax/problems.ts';
import { parseExpression } from './syntax/parser.ts';
import { selects } from './syntax/selects.ts';
import type { CelType } from './types/types.ts';
import { CelError, isCelError } from './values/values.ts';

/** What one evaluation may cost, wherever expressions are (apiserver/pkg/apis/cel PerCallLimit, 1.36). */
export const perCallLimit = 1_000_000;

/** Why an expression is no program: it is wrong, or fails whenever it is evaluated. The text is cel-go's. */
export interface CompileFailure {
  readonly stage: 'check' | 'plan';
  readonly text: string;
  /** Stage `plan`: what the expression would give. */
  readonly type?: CelType;
}

/** A checked expression, ready to be evaluated. */
export interface Program {
  readonly type: CelType;
  /** Names of the variables that it reads. */
  readonly reads: ReadonlySet<string>;
  /** Whether it takes a field from a variable by its name, `variable.field`. */
  selects(variable: string, field: string): boolean;
  /** What it may cost; `hints` tell how large values of variables can be. */
  estimateCost(hints: SizeHints): Range;
  /**
   * Evaluates it with variables in the order of the environment's. The result is a value or the CelError that it
   * failed with; `exceeded` tells that it cost more than `limit` and was given up.
   */
  readonly run: (variables: readonly unknown[], limit: number) => Evaluation;
}

/** What came of an expression. `exceeded`: it has cost more than it may, and `result` is the error that says so. */
export interface Evaluation {
  readonly result: unknown;
  readonly cost: number;
  readonly exceeded: boolean;
}

/** Whether an expression could not be compiled. */
export function isCompileFailure(compiled: Program | CompileFailure): compiled is CompileFailure {
  return 'stage' in compiled;
}

/** Checks an expression and makes it ready to be evaluated. */
export function compileExpression(text: string, environment: Environment): Program | CompileFailure {
  const source = text.toWellFormed();
  const parsed = parseExpression(source, environment);
  if (!('kind' in parsed)) return { stage: 'check', text: formatProblems(source, parsed) };
  const checked = check(parsed, environment);
  if (!('expr' in checked)) return { stage: 'check', text: formatProblems(source, checked) };
  const problems = checkLiterals(checked);
  if (problems.length > 0) return { stage: 'check', text: formatProblems(source, problems) };
  const reads = new Set<string>();
  for (const reference of checked.references)
    if (reference.kind === 'variable' && environment.variables.has(reference.name)) reads.add(reference.name);
  try {
    const { evaluate, slots } = plan(checked, environment.variables.keys());
    return {
      type: checked.type,
      reads,
      selects: (variable, field) => selects(checked.expr, variable, field),
      estimateCost: (hints) => estimateCost(checked, hints),
      run: runOf(evaluate, slots),
    };
  } catch (error) {
    if (isCelError(error)) return { stage: 'plan', text: error.message, type: checked.type };
    throw error;
  }
}

/** It holds nothing of what the expression was checked with, so that who only evaluates it may keep it alone. */
function runOf(evaluate: (frame: Frame) => unknown, slots: number): Program['run'] {
  return (variables, limit) => run(evaluate, { variables, slots, limit });
}

function run(
  evaluate: (frame: Frame) => unknown,
  {
    variables,
    slots,
    limit,
  }: { readonly variables: readonly unknown[]; readonly slots: number; readonly limit: number },
): Evaluation {
  const values = [...variables];
  while (values.length < slots) values.push(undefined);
  const frame = new Frame(values, limit);
  try {
    return { result: evaluate(frame), cost: frame.cost, exceeded: false };
  } catch (error) {
    if (error instanceof CostError) return { result: new CelError(error.message), cost: frame.cost, exceeded: true };
    if (error instanceof Interruption) error.cost += frame.cost;
    throw error;
  }
}
