import { internalFieldError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import { internalRule } from '../validation/internal-form.ts';
import type { RuleChecker, RuleNode, RuleSession } from '../validation/rule-checker.ts';
import { RuleRun } from './rule-run.ts';
import { rulesOf } from './rules.ts';

/** CEL rules of CRDs: every expression must compile, and defaults must satisfy their rules. */
export const celRuleChecker: RuleChecker = {
  begin: (): RuleSession => ({ check: checkNode, finish: () => [] }),
  checkDefault: (schema, value, { path, isRoot }) => new RuleRun().check(schema, { path, value, old: undefined, correlation: undefined, isResource: isRoot }),
};

function checkNode({ schema, path, ancestry, uncorrelatable }: RuleNode): readonly FieldError[] {
  const at = path.child('x-kubernetes-validations');
  const node = rulesOf(schema, ancestry.length === 0 || schema['x-kubernetes-embedded-resource'] === true);
  if (node === undefined) return [internalFieldError(at, 'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations')];
  const errors: FieldError[] = [];
  for (const [i, { rule, error, messageError, usesOldSelf }] of node.rules.entries()) {
    if (rule.rule.trim() === '') continue;
    if (error !== undefined) errors.push(invalidValue(at.index(i).child('rule'), internalRule(rule), error));
    if (messageError !== undefined) errors.push(invalidValue(at.index(i).child('messageExpression'), internalRule(rule), messageError));
    if (usesOldSelf) {
      if (uncorrelatable !== undefined) errors.push(invalidValue(at.index(i).child('rule'), rule.rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${String(uncorrelatable)}`));
    } else if (rule.optionalOldSelf !== undefined) {
      errors.push(invalidValue(at.index(i).child('optionalOldSelf'), rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
    }
  }
  return errors;
}
