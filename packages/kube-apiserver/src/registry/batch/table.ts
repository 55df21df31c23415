import { ageSince, humanDuration } from '@kubechain/apiserver/resources';
import type { TableCell } from '@kubechain/apiserver/resources';
import type { CronJob, Job, JobSpec, JobStatus } from '@kubechain/apimachinery/types/batch/v1';
import { containerCells, none, selectorCell, unset } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of Job (pkg/printers/internalversion, 1.36). */
export const printJob: Printer<Job> = (job) => [
  nameOf(job),
  jobStatus(job),
  completions(job.spec, job.status),
  duration(job.status),
  ageOf(job),
  ...containerCells(job.spec?.template?.spec?.containers),
  selectorCell(job.spec?.selector),
];

function jobStatus({ metadata, status }: Job): string {
  const holds = (type: string): boolean =>
    status?.conditions?.find((condition) => condition.type === type)?.status === 'True';
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (metadata?.deletionTimestamp) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function completions(spec: JobSpec | undefined, status: JobStatus | undefined): string {
  const succeeded = status?.succeeded ?? 0;
  if (spec?.completions !== undefined) return `${succeeded}/${spec.completions}`;
  return (spec?.parallelism ?? 0) > 1 ? `${succeeded}/1 of ${spec?.parallelism}` : `${succeeded}/1`;
}

function duration(status: JobStatus | undefined): TableCell {
  if (!status?.startTime) return '';
  return status.completionTime
    ? humanDuration(Date.parse(status.completionTime) - Date.parse(status.startTime))
    : ageSince(status.startTime);
}

/** Row of CronJob (pkg/printers/internalversion, 1.36). */
export const printCronJob: Printer<CronJob> = (cronJob) => {
  const { spec, status } = cronJob;
  return [
    nameOf(cronJob),
    spec?.schedule ?? '',
    spec?.timeZone ?? none,
    spec?.suspend === undefined ? unset : spec.suspend ? 'True' : 'False',
    status?.active?.length ?? 0,
    status?.lastScheduleTime ? ageSince(status.lastScheduleTime) : none,
    ageOf(cronJob),
    ...containerCells(spec?.jobTemplate?.spec?.template?.spec?.containers),
    selectorCell(spec?.jobTemplate?.spec?.selector),
  ];
};
