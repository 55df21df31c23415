import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import { trueCondition } from '../job/job-conditions.ts';

/** Finished jobs beyond the limits of a cron job, the oldest of each kind first (cleanupFinishedJobs, 1.36). */
export function surplusJobs({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const succeeded = jobs.filter((job) => finishedAs(job) === 'Complete');
  const failed = jobs.filter((job) => finishedAs(job) === 'Failed');
  return [...oldest(succeeded, spec.successfulJobsHistoryLimit), ...oldest(failed, spec.failedJobsHistoryLimit)];
}

/** How a job ended, by the first of its conditions that says so; undefined while it runs. */
export function finishedAs({ status }: Job): 'Complete' | 'Failed' | undefined {
  const condition = status?.conditions?.find(
    ({ status: is, type }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  );
  return condition?.type as 'Complete' | 'Failed' | undefined;
}

/** When a job succeeded; undefined for others. */
export function succeededAt(job: Job): string | undefined {
  return trueCondition(job, 'Complete') === undefined ? undefined : job.status?.completionTime;
}

function oldest(jobs: readonly Job[], limit: number | undefined): readonly Job[] {
  if (limit === undefined || jobs.length <= limit) return [];
  return jobs.toSorted(byStart).slice(0, jobs.length - limit);
}

function byStart(a: Job, b: Job): number {
  const [first, second] = [startedMs(a), startedMs(b)];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1;
}

/** Jobs that never began come last. */
function startedMs({ status }: Job): number {
  return status?.startTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(status.startTime);
}
