import { Stepwise } from '@kubechain/apiserver/resources';
import { builtinRelease, forbiddenValue, internalFieldError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { internalRule } from '../validation/internal-form.ts';
import type { RuleChecker, RuleNode } from '../validation/rule-checker.ts';
import { SchemaCosts, cardinalityOf, costProblem, expressionCostLimit, totalCost } from './rule-costs.ts';
import { RuleRun } from './rule-run.ts';
import type { CelMetrics } from './cel-metrics.ts';
import { rulesOf } from './rules.ts';

/**
 * CEL rules of CRDs: every expression must compile and not cost too much, and defaults must satisfy their rules, both
 * as new values and as ones that stay. 1.36 compiles stored expressions with the functions that new ones have.
 */
export const celRuleChecker: RuleChecker = celRuleCheckerOf();

export interface RuleCheckerOptions {
  /** Where it is counted how long rules take; default nowhere. */
  readonly metrics?: CelMetrics | undefined;
  /** Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
}

/** The same as a release checks rules, counting how long that takes. */
export function celRuleCheckerOf({ metrics, release = builtinRelease }: RuleCheckerOptions = {}): RuleChecker {
  return {
    begin(root) {
      const costs = new SchemaCosts();
      return {
        check: (node) => checkNode(node, root, { costs, metrics, release }),
        finish: (path) => costs.problems(path),
      };
    },
    checkDefault(schema, value, { path, isRoot }) {
      const errors = (old: unknown): readonly FieldError[] =>
        new Stepwise(
          new RuleRun({ metrics }).check(schema, { path, value, old, correlation: undefined, isResource: isRoot }),
        ).makeNow();
      const kept = errors(value);
      return kept.length > 0 ? kept : errors(undefined);
    },
  };
}

function checkNode(
  { schema, path, ancestry, storedExpressions, uncorrelatable, unchanged }: RuleNode,
  root: JSONSchemaProps,
  {
    costs,
    metrics,
    release,
  }: { readonly costs: SchemaCosts; readonly metrics: CelMetrics | undefined; readonly release: ReleaseAge },
): readonly FieldError[] {
  const rulesPath = path.child('x-kubernetes-validations');
  const isResource = ancestry.length === 0 || schema['x-kubernetes-embedded-resource'] === true;
  const node = rulesOf(schema, isResource, { metrics });
  if (node === undefined)
    return [
      internalFieldError(
        rulesPath,
        'internal error: failed to construct type information for x-kubernetes-validations rules: unable to ' +
          'convert structural schema to CEL declarations',
      ),
    ];
  const cardinality = cardinalityOf(root, ancestry) ?? node.maxCardinality;
  const errors: FieldError[] = [];
  // What is written in 1.34 must be readable in 1.33; what is there may stay.
  const former = release.since('1.35') ? undefined : rulesOf(schema, isResource, { metrics, functions: 'former' });
  for (const [i, stored] of node.rules.entries()) {
    const isNew = !storedExpressions.has(stored.rule.rule);
    const { rule, error, maxCost, message, messageError, messageMaxCost, usesOldSelf } =
      (isNew ? former?.rules[i] : undefined) ?? stored;
    const at = rulesPath.index(i);
    const cost = totalCost(maxCost, cardinality);
    if (!unchanged && cost > expressionCostLimit)
      errors.push(forbiddenValue(at.child('rule'), costProblem('estimated rule cost', cost)));
    costs.add(at.child('rule'), cost);
    if (error !== undefined) errors.push(invalidValue(at.child('rule'), internalRule(rule), error));
    if (messageError !== undefined)
      errors.push(invalidValue(at.child('messageExpression'), internalRule(rule), messageError));
    else if (message !== undefined) {
      if (!unchanged && messageMaxCost > expressionCostLimit)
        errors.push(
          forbiddenValue(
            at.child('messageExpression'),
            costProblem('estimated messageExpression cost', messageMaxCost),
          ),
        );
      costs.add(at.child('messageExpression'), messageMaxCost);
    }
    if (usesOldSelf) {
      if (uncorrelatable !== undefined)
        errors.push(
          invalidValue(
            at.child('rule'),
            rule.rule,
            `oldSelf cannot be used on the uncorrelatable portion of the schema within ${String(uncorrelatable)}`,
          ),
        );
    } else if (rule.optionalOldSelf !== undefined) {
      errors.push(
        invalidValue(
          at.child('optionalOldSelf'),
          rule.optionalOldSelf,
          'may not be set if oldSelf is not used in rule',
        ),
      );
    }
  }
  return errors;
}
