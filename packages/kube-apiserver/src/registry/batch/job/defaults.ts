import type { Job, JobSpec } from '@kubechain/apimachinery/types/batch/v1';
import { defaultPodTemplate } from '../../core/pod/pod-spec-defaults.ts';

const maxInt32 = 2 ** 31 - 1;

/** Defaults of jobs (pkg/apis/batch/v1, 1.36). */
export function defaultJob(job: Job): void {
  const spec = (job.spec ??= { template: {} });
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : maxInt32;
  const labels = spec.template?.metadata?.labels;
  // The same map, as in Go: what the strategy adds to the template's labels the job has as well.
  if (labels !== undefined && Object.keys(job.metadata?.labels ?? {}).length === 0)
    (job.metadata ??= {}).labels = labels;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed';
  spec.manualSelector ??= false;
  defaultJobTemplateSpec(spec);
}

/** What is defaulted in a cron job's template as well: the pods. */
export function defaultJobTemplateSpec(spec: JobSpec): void {
  defaultPodTemplate((spec.template ??= {}));
  for (const rule of spec.podFailurePolicy?.rules ?? [])
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
}
