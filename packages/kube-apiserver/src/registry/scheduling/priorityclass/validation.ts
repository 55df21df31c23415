import { FieldPath, forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import { immutable } from '../../validation/immutable.ts';

/** Higher priorities are the system's own. */
const highestUserPriority = 1_000_000_000;
const valuePath = FieldPath.of('value');

/** Rules of priority classes, apart from those for names that begin with `system-` (pkg/apis/scheduling/validation, 1.36). */
export function validatePriorityClass(priorityClass: PriorityClass): FieldError[] {
  const isSystem = priorityClass.metadata?.name?.startsWith('system-') === true;
  return !isSystem && (priorityClass.value ?? 0) > highestUserPriority ? [forbiddenValue(valuePath, `maximum allowed value of a user defined priority is ${highestUserPriority}`)] : [];
}

/** What a class means never changes. */
export function validatePriorityClassUpdate(priorityClass: PriorityClass, old: PriorityClass): FieldError[] {
  return [
    ...((priorityClass.value || 0) === (old.value || 0) ? [] : [forbiddenValue(valuePath, 'may not be changed in an update.')]),
    ...immutable('preemptionPolicy', priorityClass.preemptionPolicy, old.preemptionPolicy),
  ];
}
