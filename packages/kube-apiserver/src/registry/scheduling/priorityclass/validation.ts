import { FieldPath, forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import { immutable } from '../../validation/immutable.ts';
import { oneOf, present } from '../../validation/rules.ts';

/** Higher priorities are the system's own. */
const highestUserPriority = 1_000_000_000;
const policy = oneOf(['PreemptLowerPriority', 'Never']);
const valuePath = FieldPath.of('value');

/** The classes whose names may begin with `system-`, and what they stand for. */
const systemClasses: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** Rules of priority classes (ValidatePriorityClass of pkg/apis/scheduling/validation, 1.36). */
export function validatePriorityClass({
  globalDefault = false,
  metadata,
  preemptionPolicy,
  value = 0,
}: Partial<PriorityClass>): FieldError[] {
  const name = metadata?.name ?? '';
  return [
    ...(name.startsWith('system-') ? validateSystemClass(name, value, globalDefault) : highUserPriority(value)),
    ...present(policy)(preemptionPolicy, FieldPath.of('preemptionPolicy')),
  ];
}

function validateSystemClass(name: string, value: number, globalDefault: boolean): FieldError[] {
  const known = systemClasses.get(name);
  const problem =
    known === undefined
      ? `${name} is not a known system priority class`
      : value !== known
        ? `value of ${name} PriorityClass must be ${known}`
        : globalDefault
          ? `globalDefault of ${name} PriorityClass must be false`
          : undefined;
  return problem === undefined
    ? []
    : [
        forbiddenValue(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${problem}`,
        ),
      ];
}

function highUserPriority(value: number): FieldError[] {
  return value > highestUserPriority
    ? [forbiddenValue(valuePath, `maximum allowed value of a user defined priority is ${highestUserPriority}`)]
    : [];
}

/** What a class means never changes. */
export function validatePriorityClassUpdate(priorityClass: PriorityClass, old: PriorityClass): FieldError[] {
  return [
    ...((priorityClass.value || 0) === (old.value || 0)
      ? []
      : [forbiddenValue(valuePath, 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', priorityClass.preemptionPolicy, old.preemptionPolicy),
  ];
}
