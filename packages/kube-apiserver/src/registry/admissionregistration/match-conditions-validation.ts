import {
  append,
  duplicate,
  invalidValue,
  isQualifiedName,
  required,
  tooMany,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { MatchCondition } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { compileAdmissionExpression, resultTypes } from '@kubechain/apiserver/resources';
import { expressionErrors } from './expression-errors.ts';
import type { IsFormer } from './former-expressions.ts';

const maxConditions = 64;

/**
 * Rules of the conditions of webhooks and policies, which cannot use a policy's variables (validateMatchConditions,
 * 1.36).
 */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: FieldPath,
  { isFormer, params }: { readonly params: boolean; readonly isFormer: IsFormer },
): FieldError[] {
  const errors = conditions.length > maxConditions ? [tooMany(path, conditions.length, maxConditions)] : [];
  const names = new Set<string>();
  conditions.forEach(({ expression = '', name = '' }: Partial<MatchCondition>, i) => {
    const at = path.index(i);
    const trimmed = trimSpace(expression);
    if (trimmed === '') errors.push(required(at.child('expression')));
    else
      append(
        errors,
        expressionErrors(
          compileAdmissionExpression(trimmed, {
            params,
            former: isFormer(trimmed),
            authorizer: true,
            results: resultTypes.bool,
            composition: undefined,
          }),
          at.child('expression'),
        ),
      );
    if (name === '') errors.push(required(at.child('name')));
    else {
      for (const message of isQualifiedName(name)) errors.push(invalidValue(at.child('name'), name, message));
      if (names.has(name)) errors.push(duplicate(at.child('name'), name));
      names.add(name);
    }
  });
  return errors;
}
