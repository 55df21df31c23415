import { formatTime } from '@kubechain/apimachinery';
import type { Job, JobCondition } from '@kubechain/apimachinery/types/batch/v1';

/** What a condition says. */
export interface ConditionWords {
  readonly type: string;
  readonly status?: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

function jobCondition({ type, status = 'True', reason, message }: ConditionWords, nowMs: number): JobCondition {
  const now = formatTime(nowMs);
  return { type, status, lastProbeTime: now, lastTransitionTime: now, reason, message };
}

/** The condition of a type that is true. */
export function trueCondition({ status }: Job, type: string): JobCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
}

export function isJobFinished(job: Job): boolean {
  return trueCondition(job, 'Complete') !== undefined || trueCondition(job, 'Failed') !== undefined;
}

/** The conditions with one set; undefined where nothing changes. What is not there is false already. */
export function withCondition(
  conditions: readonly JobCondition[],
  words: ConditionWords,
  nowMs: number,
): JobCondition[] | undefined {
  const { message, reason, status = 'True', type } = words;
  const known = conditions.find((condition) => condition.type === type);
  if (known === undefined) return status === 'False' ? undefined : [...conditions, jobCondition(words, nowMs)];
  if (known.status === status && known.reason === reason && known.message === message) return undefined;
  return conditions.map((condition) => (condition === known ? jobCondition(words, nowMs) : condition));
}
