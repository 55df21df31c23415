import { baseFunctions, compileExpression, dynType, fromPlainJSON, isCelError, isCompileFailure } from '@kubechain/cel';
import type { KubeObject } from '@kubechain/apimachinery';
import { StageError } from './stage-error.ts';

/** Far more than any selector costs. */
const costLimit = 1_000_000;

/** Reads a CEL expression over `self`; what fails when it is evaluated gives undefined. @throws StageError */
export function parseCel(source: string): (object: KubeObject) => unknown {
  const program = compileExpression(source, { variables: new Map([['self', dynType]]), functions: baseFunctions });
  if (isCompileFailure(program)) throw new StageError(program.text);
  return (object) => {
    const { result } = program.run([fromPlainJSON(object)], costLimit);
    return isCelError(result) ? undefined : result;
  };
}
