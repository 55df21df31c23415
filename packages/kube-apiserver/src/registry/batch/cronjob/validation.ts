import { FieldPath, FormatError, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { CronJob, CronJobSpec, JobTemplateSpec } from '@kubechain/apimachinery/types/batch/v1';
import { parseSchedule } from '@kubechain/component-helpers';
import type { Capabilities } from '../../capabilities.ts';
import { publishedForm } from '../../validation/internal-form.ts';
import { notNegative, oneOf } from '../../validation/rules.ts';
import { validateJobSpec } from '../job/validation.ts';
import { validateTimeZone } from './time-zone.ts';

const specPath = FieldPath.of('spec');
/** Names of its jobs end in a hyphen and ten digits. */
const maxName = 52;
const concurrencyPolicy = oneOf(['Allow', 'Forbid', 'Replace']);

/** Rules of cron jobs (ValidateCronJobCreate of pkg/apis/batch/validation, 1.36). */
export function validateCronJob({ metadata, spec }: CronJob, capabilities: Capabilities): FieldError[] {
  const name = metadata?.name ?? '';
  return [
    ...validateSpec(spec, undefined, capabilities),
    ...(name.length > maxName
      ? [invalidValue(FieldPath.of('metadata', 'name'), name, `must be no more than ${maxName} characters`)]
      : []),
  ];
}

/** Rules of an update; long names and zones in schedules stay where they were (ValidateCronJobUpdate). */
export function validateCronJobUpdate({ spec }: CronJob, old: CronJob, capabilities: Capabilities): FieldError[] {
  return validateSpec(spec, old.spec, capabilities);
}

function validateSpec(
  spec: CronJobSpec | undefined,
  old: CronJobSpec | undefined,
  capabilities: Capabilities,
): FieldError[] {
  const job = (spec ?? {}) as Partial<CronJobSpec>;
  return [
    ...validateSchedule(job, old),
    ...notNegative(job.startingDeadlineSeconds, specPath.child('startingDeadlineSeconds')),
    ...(old !== undefined && old.timeZone === job.timeZone
      ? []
      : validateTimeZone(job.timeZone, specPath.child('timeZone'))),
    ...concurrencyPolicy(job.concurrencyPolicy, specPath.child('concurrencyPolicy')),
    ...validateTemplate(job.jobTemplate, specPath.child('jobTemplate', 'spec'), capabilities),
    ...notNegative(job.successfulJobsHistoryLimit, specPath.child('successfulJobsHistoryLimit')),
    ...notNegative(job.failedJobsHistoryLimit, specPath.child('failedJobsHistoryLimit')),
  ];
}

function validateSchedule(
  { schedule = '', timeZone }: Partial<CronJobSpec>,
  old: CronJobSpec | undefined,
): FieldError[] {
  const path = specPath.child('schedule');
  if (schedule === '') return [required(path)];
  const message = scheduleError(schedule);
  const errors = message === undefined ? [] : [invalidValue(path, schedule, message)];
  if (!schedule.includes('TZ')) return errors;
  const zoned = old?.schedule.includes('TZ') ?? false;
  if (!zoned)
    return [
      ...errors,
      invalidValue(path, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'),
    ];
  return timeZone === undefined
    ? errors
    : [...errors, invalidValue(path, schedule, 'cannot use both timeZone field and TZ or CRON_TZ in schedule')];
}

function validateTemplate(
  template: JobTemplateSpec | undefined,
  path: FieldPath,
  capabilities: Capabilities,
): FieldError[] {
  const { manualSelector, selector } = template?.spec ?? {};
  return [
    ...validateJobSpec(template?.spec, path, capabilities),
    ...(selector === undefined
      ? []
      : [invalidValue(path.child('selector'), publishedForm(selector), '`selector` will be auto-generated')]),
    ...(manualSelector === true ? [notSupported(path.child('manualSelector'), true, ['nil', 'false'])] : []),
  ];
}

/** What the reference's parser has against a schedule; undefined if it is fine. */
function scheduleError(schedule: string): string | undefined {
  try {
    parseSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}
