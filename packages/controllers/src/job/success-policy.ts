import type { SuccessPolicy } from '@kubechain/apimachinery/types/batch/v1';
import { overlap, parseIntervals, sizeOf, type Intervals } from './index-intervals.ts';

/**
 * Says by which rule the indexes that succeeded are enough; undefined while they are not (job/success_policy.go,
 * 1.36).
 */
export function successMessage(
  policy: SuccessPolicy | undefined,
  succeeded: Intervals,
  completions: number,
): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = (policy?.rules ?? []).findIndex(({ succeededCount, succeededIndexes }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && sizeOf(succeeded) >= succeededCount;
    const wanted = parseIntervals(succeededIndexes, completions);
    if (wanted.length === 0) return false;
    const count = overlap(wanted, succeeded);
    return count === sizeOf(wanted) || (succeededCount !== undefined && count >= succeededCount);
  });
  return index === -1 ? undefined : `Matched rules at index ${index}`;
}
