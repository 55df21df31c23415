import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { sizeOf, type Intervals } from './index-intervals.ts';
import { trueCondition, type ConditionWords } from './job-conditions.ts';
import { isFailed } from './job-pods.ts';
import { judgeFailure } from './pod-failure-policy.ts';
import { successMessage } from './success-policy.ts';

/** What a verdict is found from, besides the job. */
export interface Evidence {
  readonly pods: readonly Pod[];
  /** All that failed and counted. */
  readonly failed: number;
  readonly succeededIndexes: Intervals;
  /** Undefined where indexes have no limit of their own. */
  readonly failedIndexes: Intervals | undefined;
  readonly nowMs: number;
}

/** The interim condition of a job that is over. */
export type Verdict = ConditionWords & { readonly type: 'FailureTarget' | 'SuccessCriteriaMet' };

/**
 * Whether a job is over, by what was decided before, its limits and policies; undefined while it is not. Completions
 * are not looked at: they count only once no pod is active any more. Source: job_controller.go syncJob (1.36).
 */
export function verdictOf(
  job: Job,
  { failed, failedIndexes, nowMs, pods, succeededIndexes }: Evidence,
): Verdict | undefined {
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const known = trueCondition(job, type);
    if (known !== undefined) return { type, reason: known.reason ?? '', message: known.message ?? '' };
  }
  const { spec } = job;
  for (const pod of pods) {
    const message = isFailed(job, pod) ? judgeFailure(spec?.podFailurePolicy, pod).message : undefined;
    if (message !== undefined) return failure('PodFailurePolicy', message);
  }
  if (failed > (spec?.backoffLimit ?? 6) || restartsTooOften(job, pods))
    return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if ((deadlineLeftMs(job, nowMs) ?? 1) <= 0)
    return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
  if (spec?.completionMode !== 'Indexed') return undefined;
  const completions = spec.completions ?? 0;
  const lost = sizeOf(failedIndexes ?? []);
  if (spec.maxFailedIndexes !== undefined && lost > spec.maxFailedIndexes)
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  if (lost > 0 && lost + sizeOf(succeededIndexes) >= completions)
    return failure('FailedIndexes', 'Job has failed indexes');
  const message = successMessage(spec.successPolicy, succeededIndexes, completions);
  return message === undefined ? undefined : { type: 'SuccessCriteriaMet', reason: 'SuccessPolicy', message };
}

/** Milliseconds that a job may still be active; undefined where nothing limits it. */
export function deadlineLeftMs({ spec, status }: Job, nowMs: number): number | undefined {
  if (spec?.activeDeadlineSeconds === undefined || status?.startTime === undefined || spec.suspend === true)
    return undefined;
  return spec.activeDeadlineSeconds * 1_000 - (nowMs - Date.parse(status.startTime));
}

function failure(reason: string, message: string): Verdict {
  return { type: 'FailureTarget', reason, message };
}

/** With OnFailure containers fail in place: their restarts count. */
function restartsTooOften({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec?.template.spec?.restartPolicy !== 'OnFailure') return false;
  const limit = spec.backoffLimit ?? 6;
  let restarts = 0;
  for (const { status } of pods)
    if (status?.phase === 'Running' || status?.phase === 'Pending')
      for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
        restarts += restartCount ?? 0;
  return restarts >= Math.max(limit, 1);
}
