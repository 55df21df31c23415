import { duplicate, invalidValue, repeats } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { list } from './collections.ts';
import { maxBindingConditions } from './limits.ts';
import { labelName } from './names.ts';

/**
 * What must be true, and what must not be, before a pod is bound: both or neither (validateDeviceBindingParameters of
 * pkg/apis/resource/validation, 1.36).
 */
export function bindingConditions(
  givenConditions: readonly string[] | undefined,
  givenFailures: readonly string[] | undefined,
  path: FieldPath,
): FieldError[] {
  const conditions = givenConditions ?? [];
  const failures = givenFailures ?? [];
  const conditionsPath = path.child('bindingConditions');
  const failuresPath = path.child('bindingFailureConditions');
  const rule = list(maxBindingConditions, labelName);
  const [repeatedConditions, repeatedFailures] = [repeats(conditions), repeats(failures)];
  const known = new Set(conditions);
  return [
    ...rule(conditions, conditionsPath),
    ...rule(failures, failuresPath),
    ...conditions.flatMap((condition, i) =>
      repeatedConditions[i] === true ? [duplicate(conditionsPath.index(i), condition)] : [],
    ),
    ...failures.flatMap((condition, i) => [
      ...(repeatedFailures[i] === true ? [duplicate(failuresPath.index(i), condition)] : []),
      ...(known.has(condition)
        ? [
            invalidValue(
              failuresPath.index(i),
              condition,
              'bindingFailureConditions must not overlap with bindingConditions',
            ),
          ]
        : []),
    ]),
    ...(conditions.length === 0 && failures.length > 0
      ? [
          invalidValue(
            conditionsPath,
            givenConditions ?? null,
            'bindingConditions are required to use bindingFailureConditions',
          ),
        ]
      : []),
    ...(failures.length === 0 && conditions.length > 0
      ? [
          invalidValue(
            failuresPath,
            givenFailures ?? null,
            'bindingFailureConditions are required to use bindingConditions',
          ),
        ]
      : []),
  ];
}
