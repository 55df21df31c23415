import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import type { TimeZone } from '@kubechain/component-helpers';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';

const scheduledAnnotation = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

/** The name of a start's job: the same for each attempt, so that there is one job of a start. */
export function jobName({ metadata }: CronJob, startMs: number): string {
  return `${metadata?.name ?? ''}-${Math.floor(startMs / 60_000)}`;
}

/** The job of a start (getJobFromTemplate2, 1.36). */
export function scheduledJob(cronJob: CronJob, startMs: number, zone: TimeZone): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  return {
    metadata: {
      name: jobName(cronJob, startMs),
      namespace: cronJob.metadata?.namespace ?? '',
      labels: { ...metadata?.labels },
      annotations: { ...metadata?.annotations, [scheduledAnnotation]: inZone(startMs, zone) },
      ownerReferences: [controllerRef(cronJob, resources.cronjobs)],
    },
    ...(spec === undefined ? {} : { spec: structuredClone(spec) }),
  } as Job;
}

/** `2026-01-01T02:00:00+02:00`. */
function inZone(atMs: number, zone: TimeZone): string {
  const offsetMs = zone.offsetMs(atMs);
  const local = new Date(atMs + offsetMs).toISOString().slice(0, 19);
  if (offsetMs === 0) return `${local}Z`;
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
