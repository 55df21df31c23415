import { forbiddenValue, invalidValue, Quantity, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '@kubechain/apimachinery/types/resource/v1';
import type { Rule } from '../../validation/rules.ts';
import { set } from './collections.ts';
import { maxRequestValues } from './limits.ts';

/** Capacity of a device that is allocated as a whole. */
export const wholeCapacity: Rule<DeviceCapacity> = ({ requestPolicy }, path) =>
  requestPolicy === undefined
    ? []
    : [forbiddenValue(path.child('requestPolicy'), 'allowMultipleAllocations must be true')];

/**
 * Capacity that is given out in parts, and which parts may be asked for (validateRequestPolicy of
 * pkg/apis/resource/validation, 1.36).
 */
export const sharedCapacity: Rule<DeviceCapacity> = (
  { requestPolicy: policy, value = '0' }: Partial<DeviceCapacity>,
  path,
) => {
  if (policy === undefined) return [];
  const policyPath = path.child('requestPolicy');
  const capacity = Quantity.parse(value);
  if ((policy.validValues?.length ?? 0) > 0) {
    if (policy.validRange !== undefined)
      return [
        forbiddenValue(
          policyPath,
          'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time',
        ),
      ];
    return withDefault(policy, 'validValues', policyPath, (usual) =>
      validValues(policy.validValues ?? [], { usual, capacity }, policyPath.child('validValues')),
    );
  }
  const { validRange } = policy;
  return validRange === undefined
    ? []
    : withDefault(policy, 'validRange', policyPath, (usual) =>
        range(validRange, { usual, capacity }, policyPath.child('validRange')),
      );
};

/** The whole, and what is given where nothing is asked for. */
interface Bounds {
  readonly usual: Quantity;
  readonly capacity: Quantity;
}

function withDefault(
  policy: CapacityRequestPolicy,
  needs: string,
  path: FieldPath,
  rule: (usual: Quantity) => FieldError[],
): FieldError[] {
  return policy.default === undefined
    ? [required(path.child('default'), `required when ${needs} is defined`)]
    : rule(Quantity.parse(policy.default));
}

function validValues(texts: readonly string[], { capacity, usual }: Bounds, path: FieldPath): FieldError[] {
  const values = texts.map((text) => Quantity.parse(text));
  const option: Rule<Quantity> = (value, at) =>
    value.compare(capacity) > 0
      ? [invalidValue(at, String(value), `option is larger than capacity value: ${String(capacity)}`)]
      : [];
  return [
    ...values
      .slice(1)
      .flatMap((value, i) =>
        (values[i] as Quantity).compare(value) > 0
          ? [invalidValue(path.index(i + 1), String(value), 'values must be sorted in ascending order')]
          : [],
      ),
    ...set(maxRequestValues, option, (value) => String(value.wholeValue()))(values, path),
    ...(values.length <= maxRequestValues && values.some((value) => value.equals(usual))
      ? []
      : [invalidValue(path, String(usual), 'default value is not valid according to the requestPolicy')]),
  ];
}

function range(
  { max, min, step }: Partial<CapacityRequestPolicyRange>,
  { capacity, usual }: Bounds,
  path: FieldPath,
): FieldError[] {
  if (min === undefined) return [required(path.child('min'), 'required when validRange is defined')];
  const low = Quantity.parse(min);
  const high = max === undefined ? undefined : Quantity.parse(max);
  return [
    ...(low.compare(capacity) > 0
      ? [invalidValue(path.child('min'), String(low), `min is larger than capacity value: ${String(capacity)}`)]
      : []),
    ...(usual.compare(low) < 0
      ? [invalidValue(path.child('min'), String(usual), `default is less than min: ${String(low)}`)]
      : []),
    ...(high === undefined
      ? []
      : [
          ...(low.compare(high) > 0
            ? [invalidValue(path.child('max'), String(low), `min is larger than max: ${String(high)}`)]
            : []),
          ...(high.compare(capacity) > 0
            ? [invalidValue(path.child('max'), String(high), `max is larger than capacity value: ${String(capacity)}`)]
            : []),
          ...(usual.compare(high) > 0
            ? [invalidValue(path.child('max'), String(usual), `default is more than max: ${String(high)}`)]
            : []),
        ]),
    ...(step === undefined
      ? []
      : steps(
          Quantity.parse(step),
          { low, capacity, reached: high === undefined ? [usual] : [usual, high] },
          path.child('step'),
        )),
  ];
}

function steps(
  step: Quantity,
  {
    capacity,
    low,
    reached,
  }: { readonly low: Quantity; readonly capacity: Quantity; readonly reached: readonly Quantity[] },
  path: FieldPath,
): FieldError[] {
  const second = low.add(step);
  const size = step.wholeValue();
  return [
    ...(second.compare(capacity) > 0
      ? [
          invalidValue(
            path,
            String(step),
            `one step ${String(second)} is larger than capacity value: ${String(capacity)}`,
          ),
        ]
      : []),
    // The reference divides by a step of zero and fails; here no value is a multiple of it.
    ...reached.flatMap((value) =>
      size !== 0n && (value.wholeValue() - low.wholeValue()) % size === 0n
        ? []
        : [
            invalidValue(
              path,
              String(value),
              `value is not a multiple of a given step (${String(step)}) from (${String(low)})`,
            ),
          ],
    ),
  ];
}
