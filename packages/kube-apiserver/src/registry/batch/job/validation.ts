import {
  append,
  FieldPath,
  FormatError,
  invalidValue,
  isDNS1123Label,
  notSupported,
  printed,
  required,
  selectorFromObject,
  tooLong,
  validateDomainPrefixedPath,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, LabelSelectorRules } from '@kubechain/apimachinery';
import type { Job, JobSpec } from '@kubechain/apimachinery/types/batch/v1';
import type { Capabilities } from '../../capabilities.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validatePodTemplate } from '../../core/pod/validation/pod-spec.ts';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalForm, publishedForm } from '../../validation/internal-form.ts';
import { fields, notNegative, oneOfIfSet } from '../../validation/rules.ts';
import type { Rules } from '../../validation/validate.ts';
import { selectsTemplate } from '../../core/workload-template.ts';
import { equalPointers } from '../../semantic-equal.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './policies.ts';
import { validateTemplateUpdate } from './template-update.ts';

const specPath = FieldPath.of('spec');
/** From here on, a job that counts failures per index has tighter bounds. */
const manyCompletions = 100_000;
const maxIndexes = 100_000;
const maxIndexesOfMany = 10_000;
const maxManagedBy = 63;

const counts = fields<JobSpec>({
  parallelism: notNegative,
  completions: notNegative,
  activeDeadlineSeconds: notNegative,
  backoffLimit: notNegative,
  ttlSecondsAfterFinished: notNegative,
  backoffLimitPerIndex: notNegative,
  maxFailedIndexes: notNegative,
});
const completionMode = oneOfIfSet(['NonIndexed', 'Indexed']);

/** Rules of jobs (ValidateJob of pkg/apis/batch/validation, 1.36). */
export function validateJob(job: Job, capabilities: Capabilities, prefixedLabels = true): FieldError[] {
  return [
    ...validateGeneratedSelector(job, prefixedLabels),
    ...validateSpecAndSelector(job.spec, capabilities),
    ...validatePodNames(job),
  ];
}

function validatePodNames(job: Job): FieldError[] {
  const { completionMode, completions = 0 } = job.spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const name = job.metadata?.name ?? '';
  const longest = `${name}-${completions - 1}`;
  return isDNS1123Label(longest).length === 0
    ? []
    : [
        invalidValue(
          FieldPath.of('metadata', 'name'),
          name,
          `will not able to create pod with invalid DNS label: ${longest}`,
        ),
      ];
}

function validateSpecAndSelector(
  spec: JobSpec | undefined,
  capabilities: Capabilities,
  selectorRules?: LabelSelectorRules,
): FieldError[] {
  const { selector, template } = (spec ?? {}) as Partial<JobSpec>;
  const at = specPath.child('selector');
  return [
    ...validateJobSpec(spec, specPath, capabilities),
    ...(selector === undefined ? [required(at)] : validateLabelSelector(selector, at, selectorRules)),
    ...(selectsTemplate(selector, template) === false
      ? [
          invalidValue(
            specPath.child('template', 'metadata', 'labels'),
            publishedForm(printed(template?.metadata, 'labels')),
            '`selector` does not match template `labels`',
          ),
        ]
      : []),
  ];
}

/** What is asked of a job and of a cron job's template alike. */
export function validateJobSpec(spec: JobSpec | undefined, path: FieldPath, capabilities: Capabilities): FieldError[] {
  const job = spec ?? ({} as JobSpec);
  const { managedBy, podFailurePolicy, successPolicy } = job;
  const errors = counts(job, path);
  if (job.maxFailedIndexes !== undefined && job.backoffLimitPerIndex === undefined)
    errors.push(required(path.child('backoffLimitPerIndex'), 'when maxFailedIndexes is specified'));
  if (managedBy !== undefined)
    append(errors, [
      ...validateDomainPrefixedPath(path.child('managedBy'), managedBy),
      ...(managedBy.length > maxManagedBy ? [tooLong(path.child('managedBy'), maxManagedBy)] : []),
    ]);
  append(errors, completionMode(job.completionMode, path.child('completionMode')));
  append(errors, job.completionMode === 'Indexed' ? validateIndexed(job, path) : []);
  if ((job.completionMode ?? 'NonIndexed') === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const)
      if (job[field] !== undefined)
        errors.push(invalidValue(path.child(field), job[field], 'requires indexed completion mode'));
  }
  if (podFailurePolicy !== undefined) append(errors, validatePodFailurePolicy(job, path.child('podFailurePolicy')));
  if (successPolicy !== undefined) {
    const at = path.child('successPolicy');
    append(
      errors,
      job.completionMode === 'Indexed'
        ? validateSuccessPolicy(job, at)
        : [invalidValue(at, internalForm('batch.SuccessPolicy', successPolicy), 'requires indexed completion mode')],
    );
  }
  const replacements = podFailurePolicy === undefined ? ['Failed', 'TerminatingOrFailed'] : ['Failed'];
  return [
    ...errors,
    ...oneOfIfSet(replacements)(job.podReplacementPolicy, path.child('podReplacementPolicy')),
    ...validatePodTemplate(job.template ?? {}, path.child('template'), capabilities),
    ...validateRestartPolicy(job, path.child('template', 'spec', 'restartPolicy')),
  ];
}

function validateIndexed(
  { backoffLimitPerIndex, completions, maxFailedIndexes, parallelism = 0 }: JobSpec,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('maxFailedIndexes');
  const atParallelism = path.child('parallelism');
  if (completions === undefined) errors.push(required(path.child('completions'), 'when completion mode is Indexed'));
  if (parallelism > maxIndexes)
    errors.push(
      invalidValue(
        atParallelism,
        parallelism,
        `must be less than or equal to ${maxIndexes} when completion mode is Indexed`,
      ),
    );
  if (completions !== undefined && maxFailedIndexes !== undefined && maxFailedIndexes > completions)
    errors.push(invalidValue(at, maxFailedIndexes, 'must be less than or equal to completions'));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > maxIndexes)
    errors.push(invalidValue(at, maxFailedIndexes, `must be less than or equal to ${maxIndexes}`));
  if ((completions ?? 0) <= manyCompletions || backoffLimitPerIndex === undefined) return errors;
  const bound =
    `must be less than or equal to ${maxIndexesOfMany} when completions are above ${manyCompletions} and used ` +
    'with backoff limit per index';
  if (maxFailedIndexes === undefined)
    errors.push(required(at, `must be specified when completions is above ${manyCompletions}`));
  if (parallelism > maxIndexesOfMany) errors.push(invalidValue(atParallelism, parallelism, bound));
  if (maxFailedIndexes !== undefined && maxFailedIndexes > maxIndexesOfMany)
    errors.push(invalidValue(at, maxFailedIndexes, bound));
  return errors;
}

function validateRestartPolicy({ podFailurePolicy, template }: JobSpec, path: FieldPath): FieldError[] {
  const policy = template?.spec?.restartPolicy ?? '';
  if (policy === 'Always' || policy === '') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  return podFailurePolicy !== undefined && policy !== 'Never'
    ? [invalidValue(path, policy, 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}

/** Labels and selector that the job was to have by itself, which a caller may have spoilt. */
function validateGeneratedSelector({ metadata, spec }: Job, prefixedLabels: boolean): FieldError[] {
  if (spec?.manualSelector === true || spec?.selector === undefined) return [];
  const uid = metadata?.uid ?? '';
  const name = metadata?.name ?? '';
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    ...(prefixedLabels ? { 'batch.kubernetes.io/controller-uid': uid, 'batch.kubernetes.io/job-name': name } : {}),
  };
  const labels = spec.template?.metadata?.labels ?? {};
  const path = specPath.child('template', 'metadata', 'labels');
  const errors = uid === '' ? [required(FieldPath.of('metadata', 'uid'))] : [];
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === undefined) errors.push(required(path.key(key), `must be '${value}'`));
    else if (labels[key] !== value)
      errors.push(invalidValue(path.key(key), publishedForm(labels), `must be '${value}'`));
  }
  try {
    if (!selectorFromObject(spec.selector).matches(expected))
      errors.push(
        invalidValue(specPath.child('selector'), publishedForm(spec.selector), '`selector` not auto-generated'),
      );
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
  return errors;
}

/** Mistakes of the spec of a job that is updated. */
type SpecMistakes = (job: Job, old: Job, capabilities: Capabilities) => FieldError[];

/**
 * Rules of an update. The new job is looked at as one that is created, then its metadata, then what has changed and the
 * spec once more (ValidateUpdate of the strategy, 1.36): what is wrong with the spec is told twice.
 */
export function jobUpdateRules(capabilities: Capabilities): Required<Pick<Rules<Job>, 'change' | 'update'>> {
  // Of jobs without mistakes the spec, which may be large, is looked at once.
  const sound = new WeakSet<Job>();
  const specMistakes: SpecMistakes = (job, old, lenient) => {
    if (sound.has(job)) return [];
    const errors = validateSpecAndSelector(job.spec, lenient, keptSelectorRules([old.spec?.selector]));
    if (errors.length === 0) sound.add(job);
    return errors;
  };
  const rules =
    (validate: (job: Job, old: Job, more: JobRules) => FieldError[]) =>
    (job: Job, old: Job): readonly FieldError[] =>
      forgiving(capabilities, old.spec?.template, (lenient) =>
        validate(job, old, { capabilities: lenient, specMistakes }),
      );
  return { update: rules(validateWhole), change: rules(validateChange) };
}

interface JobRules {
  readonly capabilities: Capabilities;
  readonly specMistakes: SpecMistakes;
}

function validateWhole(job: Job, old: Job, { capabilities, specMistakes }: JobRules): FieldError[] {
  const labels = old.spec?.template?.metadata?.labels ?? {};
  const prefixed =
    labels['batch.kubernetes.io/job-name'] !== undefined && labels['batch.kubernetes.io/controller-uid'] !== undefined;
  return [
    // The selector is immutable, and since 1.37 left out.
    ...(capabilities.since('1.37')
      ? []
      : [...validateGeneratedSelector(job, prefixed), ...specMistakes(job, old, capabilities)]),
    ...validatePodNames(job),
  ];
}

function validateChange(job: Job, old: Job, { capabilities, specMistakes }: JobRules): FieldError[] {
  const now = job.spec ?? ({} as JobSpec);
  const before = old.spec ?? ({} as JobSpec);
  const kept = (field: keyof JobSpec, value: unknown = now[field]): FieldError[] =>
    equalPointers(now[field], before[field])
      ? []
      : [invalidValue(specPath.child(field), value ?? null, 'field is immutable')];
  return [
    ...specMistakes(job, old, capabilities),
    ...validateCompletions(now, before),
    ...kept('selector', now.selector && publishedForm(now.selector)),
    ...validateTemplateUpdate(job, old, capabilities),
    ...kept('completionMode'),
    ...kept('podFailurePolicy', now.podFailurePolicy && internalForm('batch.PodFailurePolicy', now.podFailurePolicy)),
    ...kept('backoffLimitPerIndex'),
    ...kept('managedBy'),
    ...kept('successPolicy', now.successPolicy && internalForm('batch.SuccessPolicy', now.successPolicy)),
  ];
}

/** An indexed job may grow and shrink, with as many pods at a time as in all. */
function validateCompletions(now: JobSpec, before: JobSpec): FieldError[] {
  const path = specPath.child('completions');
  if (now.completionMode !== 'Indexed') return immutable(path, now.completions, before.completions);
  return now.completions === undefined || now.completions === before.completions || now.completions === now.parallelism
    ? []
    : [invalidValue(path, now.completions, 'can only be modified in tandem with spec.parallelism')];
}
