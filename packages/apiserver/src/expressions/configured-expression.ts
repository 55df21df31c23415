import { FieldError, type FieldPath, internalFieldError, invalidValue } from '@kubechain/apimachinery';
import {
  baseFunctions,
  compileExpression,
  isCompileFailure,
  isSameType,
  perCallLimit,
  type CelType,
  type Program,
} from '@kubechain/cel';

/** What the expressions of one list in a configuration file are about. */
export interface ExpressionSubject {
  /** The one variable that they have. */
  readonly variable: string;
  readonly type: CelType;
  /** What the result has to be, and how one that is not is refused. Absent: anything. */
  readonly result?: { readonly type: CelType; readonly refusal: (got: CelType) => string };
}

/** An expression of a configuration file that has been found good. */
export interface ConfiguredExpression {
  readonly source: string;
  readonly program: Pick<Program, 'selects'>;
  /** The result, a CelError among them, with `value` for the variable. */
  evaluate(value: unknown): unknown;
}

/** The expression, or what is wrong with it at `path`. */
export function compileConfigured(
  source: string,
  subject: ExpressionSubject,
  path: FieldPath,
): ConfiguredExpression | FieldError {
  const { result, type, variable } = subject;
  const program = compileExpression(source, { variables: new Map([[variable, type]]), functions: baseFunctions });
  if (isCompileFailure(program) && program.stage === 'check')
    return invalidValue(path, source, `compilation failed: ${program.text}`);
  if (result !== undefined && program.type !== undefined && !isSameType(result.type, program.type))
    return invalidValue(path, source, result.refusal(program.type));
  if (isCompileFailure(program)) return internalFieldError(path, `program instantiation failed: ${program.text}`);
  return {
    source,
    program,
    evaluate: (value) => program.run([value], perCallLimit).result,
  };
}

/** Whether an expression is none. */
export function isFieldError(compiled: ConfiguredExpression | FieldError): compiled is FieldError {
  return compiled instanceof FieldError;
}
