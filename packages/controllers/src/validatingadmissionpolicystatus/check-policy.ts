import { typeChecker } from '@kubechain/apiserver/type-checking';
import { dynType, type CelType } from '@kubechain/cel';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { gvkText, type GroupVersionKind } from './kinds-to-check.ts';

/** Kinds and their types. */
export interface PolicyTypes {
  readonly objects: readonly { readonly gvk: GroupVersionKind; readonly type: CelType }[];
  /** Of paramKind, where it is known. */
  readonly params: CelType | undefined;
}

/**
 * What is wrong with a policy's validations and their messages for the kinds that it matches
 * (validating/typechecking.go Check, 1.36).
 */
export function checkPolicy({ spec }: ValidatingAdmissionPolicy, types: PolicyTypes): readonly ExpressionWarning[] {
  const checkers = types.objects.map(({ gvk, type }) => ({
    gvk,
    check: typeChecker({
      object: type,
      params: spec?.paramKind === undefined ? undefined : (types.params ?? dynType),
      variables: spec?.variables ?? [],
    }),
  }));
  const warnings: ExpressionWarning[] = [];
  const check = (fieldRef: string, expression: string): void => {
    const problems = checkers.flatMap(({ check: problemOf, gvk }) => {
      const problem = problemOf(expression);
      return problem === undefined ? [] : [`${gvkText(gvk)}: ${problem}\n`];
    });
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') });
  };
  (spec?.validations ?? []).forEach(({ expression, messageExpression = '' }, i) => {
    check(`spec.validations[${i}].expression`, expression);
    if (messageExpression !== '') check(`spec.validations[${i}].messageExpression`, messageExpression);
  });
  return warnings;
}
