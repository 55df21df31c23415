import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';

/** Defaults of priority classes (pkg/apis/scheduling/v1, 1.36). */
export function defaultPriorityClass(priorityClass: PriorityClass): void {
  priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
}
