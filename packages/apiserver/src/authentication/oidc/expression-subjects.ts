import { boolType, dynType, listOf, mapOf, objectOf, runtimeTypeText, stringType } from '@kubechain/cel';
import type { ExpressionSubject } from '../../expressions/configured-expression.ts';

const isTrue: NonNullable<ExpressionSubject['result']> = {
  type: boolType,
  refusal: () => `must evaluate to ${runtimeTypeText(boolType)}`,
};

/** What makes a part of a user out of claims (authentication/cel/compile.go, 1.36). */
export const claimsSubject: ExpressionSubject = { variable: 'claims', type: mapOf(stringType, dynType) };
/** What has to be true of claims. */
export const claimRuleSubject: ExpressionSubject = { ...claimsSubject, result: isTrue };
/** What has to be true of a user. */
export const userRuleSubject: ExpressionSubject = {
  variable: 'user',
  type: objectOf(
    'kubernetes.UserInfo',
    new Map([
      ['username', stringType],
      ['uid', stringType],
      ['groups', listOf(stringType)],
      ['extra', mapOf(stringType, listOf(stringType))],
    ]),
  ),
  result: isTrue,
};
