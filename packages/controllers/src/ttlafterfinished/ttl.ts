import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import { trueCondition } from '../job/job-conditions.ts';

/** Milliseconds that a finished job may still stay; undefined for one that nobody said it of, or that goes already. */
export function ttlLeftMs(job: Job, nowMs: number): number | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  if (ttl === undefined || job.metadata?.deletionTimestamp !== undefined) return undefined;
  const end = (trueCondition(job, 'Complete') ?? trueCondition(job, 'Failed'))?.lastTransitionTime;
  return end === undefined ? undefined : Date.parse(end) + ttl * 1_000 - nowMs;
}
