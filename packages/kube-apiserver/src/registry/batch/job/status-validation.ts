import { append, duplicate, FieldPath, invalidOmitted, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Job, JobStatus } from '@kubechain/apimachinery/types/batch/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, notNegative } from '../../validation/rules.ts';
import { commonIndex } from './indexes.ts';
import { validateIndexes } from './policies.ts';

const path = FieldPath.of('status');
const conditionsPath = path.child('conditions');
const counts = fields<JobStatus>({
  active: notNegative,
  succeeded: notNegative,
  failed: notNegative,
  ready: notNegative,
  terminating: notNegative,
});

/** What a status says of the job's end. */
interface End {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failureTarget: boolean;
  readonly met: boolean;
  readonly finished: boolean;
}

/** A job before and after; what has changed is checked, what was wrong before may stay. */
interface Change {
  readonly job: Job;
  readonly now: JobStatus;
  readonly before: JobStatus;
  readonly end: End;
  readonly was: End;
}

function holds(status: JobStatus, type: string): boolean {
  return (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}

function endOf(status: JobStatus): End {
  const complete = holds(status, 'Complete');
  const failed = holds(status, 'Failed');
  return {
    complete,
    failed,
    finished: complete || failed,
    failureTarget: holds(status, 'FailureTarget'),
    met: holds(status, 'SuccessCriteriaMet'),
  };
}

/**
 * Rules of the status endpoint (ValidateJobStatusUpdate of pkg/apis/batch/validation, 1.36, with the options of
 * getStatusValidationOptions).
 */
export function validateJobStatus(job: Job, old: Job): FieldError[] {
  const now = job.status ?? {};
  const before = old.status ?? {};
  const change: Change = { job, now, before, end: endOf(now), was: endOf(before) };
  return [
    ...counts(now, path),
    ...validateUncounted(now),
    ...validateEnd(change),
    ...validateFinished(change),
    ...validateIndexLists(change),
    ...validatePods(change),
    ...validateCriteria(change),
    ...validateTransition(change),
  ];
}

function validateUncounted({ uncountedTerminatedPods }: JobStatus): FieldError[] {
  const seen = new Set<string>();
  return (['succeeded', 'failed'] as const).flatMap((field) =>
    (uncountedTerminatedPods?.[field] ?? []).flatMap((uid, i) => {
      const at = path.child('uncountedTerminatedPods', field).index(i);
      if (uid === '') return [invalidValue(at, uid, 'must not be empty')];
      if (seen.has(uid)) return [duplicate(at, uid)];
      seen.add(uid);
      return [];
    }),
  );
}

function validateEnd({ before, end, now, was }: Change): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('completionTime');
  const completed = end.complete !== was.complete;
  const timed = now.completionTime !== before.completionTime;
  const started = now.startTime !== before.startTime;
  const indexesChanged = now.failedIndexes !== before.failedIndexes;
  if ((completed || end.failed !== was.failed) && end.complete && end.failed)
    errors.push(invalidOmitted(conditionsPath, 'cannot set Complete=True and Failed=true conditions'));
  if ((completed || end.failureTarget !== was.failureTarget) && end.complete && end.failureTarget)
    errors.push(invalidOmitted(conditionsPath, 'cannot set Complete=True and FailureTarget=true conditions'));
  if ((completed || timed) && now.completionTime !== undefined && !end.complete)
    errors.push(
      invalidValue(at, now.completionTime, 'cannot set completionTime when there is no Complete=True condition'),
    );
  if ((completed || timed) && now.completionTime === undefined && end.complete)
    errors.push(required(at, 'completionTime is required for Complete jobs'));
  if (
    (started || timed) &&
    now.startTime !== undefined &&
    now.completionTime !== undefined &&
    Date.parse(now.completionTime) < Date.parse(now.startTime)
  )
    errors.push(invalidValue(at, now.completionTime, 'must be equal to or after `startTime`'));
  if ((end.failed !== was.failed || indexesChanged) && end.failed && !end.failureTarget)
    errors.push(
      invalidOmitted(conditionsPath, 'cannot set Failed=True condition without the FailureTarget=true condition'),
    );
  if ((completed || end.met !== was.met) && end.complete && !end.met)
    errors.push(
      invalidOmitted(
        conditionsPath,
        'cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      ),
    );
  return errors;
}

function validateFinished({ before, end, job, now, was }: Change): FieldError[] {
  if (!end.finished) return [];
  const errors: FieldError[] = [];
  const fresh = !was.finished;
  const pods = now.uncountedTerminatedPods;
  if ((fresh || now.active !== before.active) && (now.active ?? 0) > 0)
    errors.push(invalidValue(path.child('active'), now.active, 'active>0 is invalid for finished job'));
  if (
    (fresh || now.startTime !== before.startTime) &&
    now.startTime === undefined &&
    !(job.spec?.suspend === true && job.spec.completions === 0)
  )
    errors.push(required(path.child('startTime'), 'startTime is required for finished job'));
  if (
    (fresh || !semanticEqual(pods, before.uncountedTerminatedPods)) &&
    (pods?.failed?.length ?? 0) + (pods?.succeeded?.length ?? 0) > 0
  ) {
    errors.push(
      invalidValue(
        path.child('uncountedTerminatedPods'),
        internalForm('batch.UncountedTerminatedPods', pods),
        'must be empty for finished job',
      ),
    );
  }
  return errors;
}

function validateIndexLists({ before, job, now }: Change): FieldError[] {
  const { backoffLimitPerIndex, completionMode, completions } = job.spec ?? {};
  const { completedIndexes = '', failedIndexes } = now;
  const errors: FieldError[] = [];
  const completedChanged = completedIndexes !== (before.completedIndexes ?? '');
  const failedChanged = failedIndexes !== before.failedIndexes;
  const completedPath = path.child('completedIndexes');
  const failedPath = path.child('failedIndexes');
  if (completedChanged && completions !== undefined)
    append(errors, validateIndexes(completedIndexes, completedPath, completions));
  if (failedChanged && completions !== undefined && backoffLimitPerIndex !== undefined)
    append(errors, validateIndexes(failedIndexes, failedPath, completions));
  if (completedChanged && completedIndexes !== '' && completionMode !== 'Indexed')
    errors.push(
      invalidValue(
        completedPath,
        completedIndexes,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      ),
    );
  if (failedIndexes === undefined) return errors;
  if (failedChanged && backoffLimitPerIndex === undefined)
    errors.push(
      invalidValue(failedPath, failedIndexes, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'),
    );
  const common =
    (failedChanged || completedChanged) && completions !== undefined
      ? commonIndex(completedIndexes, failedIndexes, completions)
      : undefined;
  return common === undefined
    ? errors
    : [
        ...errors,
        invalidValue(failedPath, failedIndexes, `failedIndexes and completedIndexes overlap at index: ${common}`),
      ];
}

function validatePods({ before, end, now, was }: Change): FieldError[] {
  const errors: FieldError[] = [];
  if (
    (end.finished !== was.finished || now.terminating !== before.terminating) &&
    (now.terminating ?? 0) > 0 &&
    end.finished
  )
    errors.push(invalidValue(path.child('terminating'), now.terminating, 'terminating>0 is invalid for finished job'));
  if (
    (now.ready !== before.ready || now.active !== before.active) &&
    now.ready !== undefined &&
    now.ready > (now.active ?? 0)
  )
    errors.push(invalidValue(path.child('ready'), now.ready, 'cannot set more ready pods than active'));
  return errors;
}

function validateCriteria({ end, job }: Change): FieldError[] {
  const errors: FieldError[] = [];
  if (end.met && end.failed)
    errors.push(invalidOmitted(conditionsPath, 'cannot set SuccessCriteriaMet=True and Failed=true conditions'));
  if (end.met && end.failureTarget)
    errors.push(invalidOmitted(conditionsPath, 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions'));
  if (job.spec?.successPolicy !== undefined && !end.met && end.complete)
    errors.push(
      invalidOmitted(
        conditionsPath,
        'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True',
      ),
    );
  return errors;
}

function validateTransition({ before, end, job, now, was }: Change): FieldError[] {
  const { completionMode, completions, parallelism, suspend } = job.spec ?? {};
  const errors = ['Failed', 'Complete', 'FailureTarget']
    .filter((type) => holds(before, type) && !holds(now, type))
    .map((type) => invalidOmitted(conditionsPath, `cannot disable the terminal ${type}=True condition`));
  const resuming =
    holds(before, 'Suspended') &&
    (now.conditions ?? []).some(({ status, type }) => type === 'Suspended' && status === 'False');
  if ((now.failed ?? 0) < (before.failed ?? 0))
    errors.push(invalidValue(path.child('failed'), now.failed ?? 0, 'cannot decrease the failed counter'));
  if ((completionMode !== 'Indexed' || completions !== parallelism) && (now.succeeded ?? 0) < (before.succeeded ?? 0))
    errors.push(invalidValue(path.child('succeeded'), now.succeeded ?? 0, 'cannot decrease the succeeded counter'));
  if (
    now.completionTime !== undefined &&
    before.completionTime !== undefined &&
    now.completionTime !== before.completionTime
  )
    errors.push(invalidValue(path.child('completionTime'), now.completionTime, 'field is immutable'));
  if (before.startTime !== undefined && now.startTime !== before.startTime && suspend !== true && !resuming)
    errors.push(
      invalidValue(path.child('startTime'), now.startTime ?? null, 'field is immutable for unsuspended job once set'),
    );
  if (was.met && !end.met)
    errors.push(invalidOmitted(conditionsPath, 'cannot disable the SuccessCriteriaMet=True condition'));
  if (was.complete && !was.met && end.met)
    errors.push(
      invalidOmitted(conditionsPath, 'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions'),
    );
  return errors;
}
