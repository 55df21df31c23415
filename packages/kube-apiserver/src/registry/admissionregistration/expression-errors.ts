import { internalFieldError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Expression } from '@kubechain/apiserver/resources';

/** What is wrong with a field that is an expression; `shown` is how errors print it. */
export function expressionErrors(
  { problem, source }: Expression,
  path: FieldPath,
  shown: string = source,
): FieldError[] {
  if (problem === undefined) return [];
  return [
    problem.kind === 'internal' ? internalFieldError(path, problem.text) : invalidValue(path, shown, problem.text),
  ];
}
