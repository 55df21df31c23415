import { partsOf } from './expr.ts';
import type { Expr } from './expr.ts';

/** Whether `variable.field`, `has(variable.field)` or `variable.?field` is somewhere in an expression. */
export function selects(expr: Expr, variable: string, field: string): boolean {
  return selected(expr, variable) === field || partsOf(expr).some((part) => selects(part, variable, field));
}

/** The field that an expression takes from a variable, if it is that. */
function selected(expr: Expr, variable: string): unknown {
  const isVariable = (of: Expr | undefined): boolean => of?.kind === 'ident' && of.name === variable;
  if (expr.kind === 'select') return isVariable(expr.operand) ? expr.field : undefined;
  if (expr.kind !== 'call' || expr.name !== '_?._' || expr.target !== undefined) return undefined;
  const [operand, name] = expr.args;
  return isVariable(operand) && name?.kind === 'const' ? name.value : undefined;
}
