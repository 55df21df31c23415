import type { CronJob } from '@kubechain/apimachinery/types/batch/v1';
import { defaultJobTemplateSpec } from '../job/defaults.ts';

/** Defaults of cron jobs (pkg/apis/batch/v1, 1.36). */
export function defaultCronJob(cronJob: CronJob): void {
  const spec = (cronJob.spec ??= { schedule: '', jobTemplate: {} });
  spec.concurrencyPolicy ||= 'Allow';
  spec.suspend ??= false;
  spec.successfulJobsHistoryLimit ??= 3;
  spec.failedJobsHistoryLimit ??= 1;
  defaultJobTemplateSpec(((spec.jobTemplate ??= {}).spec ??= { template: {} }));
}
