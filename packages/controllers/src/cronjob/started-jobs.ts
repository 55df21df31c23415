import { controllerOf } from '@kubechain/apimachinery';
import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

const index = 'cron job';

/** Lets the jobs of a cron job be found without walking a namespace's: thousands of both are looked at each minute. */
export function addCronJobIndex(jobs: SharedInformer<Job>): void {
  jobs.addIndex(index, ({ metadata }) => {
    const reference = controllerOf(metadata);
    return reference?.kind === 'CronJob' ? [`${metadata?.namespace ?? ''}/${reference.name}`] : [];
  });
}

/** By name: jobs of an earlier cron job of the name count too (getJobsToBeReconciled, 1.36). */
export function startedJobs(jobs: SharedInformer<Job>, cronJob: CronJob): readonly Job[] {
  return jobs.byIndex(index, keyOf(cronJob));
}
