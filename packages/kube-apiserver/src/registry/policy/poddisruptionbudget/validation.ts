import { FieldPath, invalidValue, validateConditions, validateLabelSelector } from '@kubechain/apimachinery';
import type { Condition, FieldError, LabelSelectorRules } from '@kubechain/apimachinery';
import type {
  PodDisruptionBudget,
  PodDisruptionBudgetSpec,
  PodDisruptionBudgetStatus,
} from '@kubechain/apimachinery/types/policy/v1';
import { notMoreThan100Percent, positiveIntOrPercent } from '../../validation/int-or-percent.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { all, fields, notNegative, oneOfIfSet } from '../../validation/rules.ts';

const specPath = FieldPath.of('spec');
const amount = all(positiveIntOrPercent, notMoreThan100Percent);
const amounts = fields<PodDisruptionBudgetSpec>({
  minAvailable: amount,
  maxUnavailable: amount,
});
const evictionPolicy = oneOfIfSet(['AlwaysAllow', 'IfHealthyBudget']);
const statusRules = fields<PodDisruptionBudgetStatus>({
  conditions: (conditions, path) => validateConditions((conditions ?? []) as readonly Condition[], path),
  disruptionsAllowed: notNegative,
  currentHealthy: notNegative,
  desiredHealthy: notNegative,
  expectedPods: notNegative,
});

/** Rules of disruption budgets (ValidatePodDisruptionBudget of pkg/apis/policy/validation, 1.36). */
export function validatePodDisruptionBudget(
  { spec }: PodDisruptionBudget,
  selectorRules?: LabelSelectorRules,
): FieldError[] {
  const both = spec?.minAvailable !== undefined && spec.maxUnavailable !== undefined;
  return [
    ...(both
      ? [
          invalidValue(
            specPath,
            internalForm('policy.PodDisruptionBudgetSpec', spec),
            'minAvailable and maxUnavailable cannot be both set',
          ),
        ]
      : []),
    ...amounts(spec, specPath),
    ...validateLabelSelector(spec?.selector, specPath.child('selector'), selectorRules),
    ...evictionPolicy(spec?.unhealthyPodEvictionPolicy, specPath.child('unhealthyPodEvictionPolicy')),
  ];
}

/** Rules of the status endpoint. */
export function validatePodDisruptionBudgetStatus({ status }: PodDisruptionBudget): FieldError[] {
  return statusRules(status, FieldPath.of('status'));
}
