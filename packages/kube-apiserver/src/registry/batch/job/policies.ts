import {
  append,
  duplicate,
  goQuote,
  invalidOmitted,
  invalidValue,
  isQualifiedName,
  notSupported,
  repeats,
  required,
  tooLong,
  tooMany,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from '@kubechain/apimachinery/types/batch/v1';
import { format, items, notNegative } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { countIndexes, IndexesError } from './indexes.ts';

const maxRules = 20;
const maxExitCodes = 255;
const maxIndexesLength = 64 * 1024;
const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

/** Must be one of these; a missing one is answered with the list. */
function stated(values: readonly string[]): Rule<string | undefined> {
  return (value = '', path) =>
    value === ''
      ? [required(path, `valid values: [${values.map(goQuote).join(' ')}]`)]
      : values.includes(value)
        ? []
        : [notSupported(path, value, values)];
}

/** What a failed pod means for its job (validatePodFailurePolicy of pkg/apis/batch/validation, 1.36). */
export function validatePodFailurePolicy(
  { backoffLimitPerIndex, podFailurePolicy, template }: JobSpec,
  path: FieldPath,
): FieldError[] {
  const rules = podFailurePolicy?.rules ?? [];
  const names = new Set(
    [...(template?.spec?.containers ?? []), ...(template?.spec?.initContainers ?? [])].map(({ name }) => name),
  );
  const at = path.child('rules');
  return [
    ...(rules.length > maxRules ? [tooMany(at, rules.length, maxRules)] : []),
    ...rules.flatMap((rule, i) => validateRule(rule, at.index(i), names, backoffLimitPerIndex !== undefined)),
  ];
}

function validateRule(
  rule: PodFailurePolicyRule,
  path: FieldPath,
  names: ReadonlySet<string>,
  perIndex: boolean,
): FieldError[] {
  const { action = '', onExitCodes, onPodConditions = [] } = rule as Partial<PodFailurePolicyRule>;
  const at = path.child('action');
  const errors =
    action === 'FailIndex'
      ? perIndex
        ? []
        : [invalidValue(at, action, 'requires the backoffLimitPerIndex to be set')]
      : stated(actions)(action, at);
  if (onExitCodes !== undefined) append(errors, validateExitCodes(onExitCodes, path.child('onExitCodes'), names));
  append(errors, validateConditions(onPodConditions, path.child('onPodConditions')));
  if (onExitCodes !== undefined && onPodConditions.length > 0)
    errors.push(invalidOmitted(path, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  if (onExitCodes === undefined && onPodConditions.length === 0)
    errors.push(invalidOmitted(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  return errors;
}

function validateConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
): FieldError[] {
  const type = format(isQualifiedName);
  const status = stated(['False', 'True', 'Unknown']);
  return [
    ...(patterns.length > maxRules ? [tooMany(path, patterns.length, maxRules)] : []),
    ...items<PodFailurePolicyOnPodConditionsPattern>((pattern, at) => [
      ...type(pattern.type, at.child('type')),
      ...status(pattern.status, at.child('status')),
    ])(patterns, path),
  ];
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  path: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const { containerName, operator, values = [] } = requirement as Partial<PodFailurePolicyOnExitCodesRequirement>;
  const at = path.child('values');
  const errors = stated(['In', 'NotIn'])(operator, path.child('operator'));
  if (containerName !== undefined && !names.has(containerName))
    errors.push(
      invalidValue(
        path.child('containerName'),
        containerName,
        'must be one of the container or initContainer names in the pod template',
      ),
    );
  if (values.length === 0) errors.push(invalidValue(at, requirement.values ?? null, 'at least one value is required'));
  else if (values.length > maxExitCodes) errors.push(tooMany(at, values.length, maxExitCodes));
  const repeated = repeats(values);
  for (const [i, code] of values.entries()) {
    if (operator === 'In' && code === 0)
      errors.push(invalidValue(at.index(i), code, 'must not be 0 for the In operator'));
    if (repeated[i] === true) errors.push(duplicate(at.index(i), code));
  }
  if (values.some((code, i) => i > 0 && (values[i - 1] ?? 0) > code))
    errors.push(invalidValue(at, values, 'must be ordered'));
  return errors;
}

/** When an indexed job has succeeded before all of its pods have (validateSuccessPolicy). */
export function validateSuccessPolicy({ completions = 0, successPolicy }: JobSpec, path: FieldPath): FieldError[] {
  const rules = successPolicy?.rules ?? [];
  const at = path.child('rules');
  const errors =
    rules.length === 0
      ? [required(at, 'at least one rules must be specified when the successPolicy is specified')]
      : [];
  if (rules.length > maxRules) errors.push(tooMany(at, rules.length, maxRules));
  return [...errors, ...rules.flatMap((rule, i) => validateSuccessRule(rule, at.index(i), completions))];
}

function validateSuccessRule(
  { succeededCount, succeededIndexes }: SuccessPolicyRule,
  path: FieldPath,
  completions: number,
): FieldError[] {
  const errors: FieldError[] = [];
  const at = path.child('succeededIndexes');
  let total = 0;
  if (succeededCount === undefined && succeededIndexes === undefined)
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  if (succeededIndexes !== undefined && succeededIndexes.length > maxIndexesLength)
    errors.push(tooLong(at, maxIndexesLength));
  append(
    errors,
    validateIndexes(succeededIndexes, at, completions, (count) => {
      total = count;
    }),
  );
  const countPath = path.child('succeededCount');
  if (succeededCount === undefined) return errors;
  append(errors, notNegative(succeededCount, countPath));
  if (succeededCount > completions)
    errors.push(
      invalidValue(
        countPath,
        succeededCount,
        `must be less than or equal to ${completions} (the number of specified completions)`,
      ),
    );
  if (succeededIndexes !== undefined && succeededCount > total)
    errors.push(
      invalidValue(
        countPath,
        succeededCount,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  return errors;
}

/** Indexes that must be readable, where they are there; `counted` is told how many they are. */
export function validateIndexes(
  text: string | undefined,
  path: FieldPath,
  completions: number,
  counted: (total: number) => void = () => undefined,
): FieldError[] {
  if (text === undefined) return [];
  try {
    counted(countIndexes(text, completions));
    return [];
  } catch (error) {
    if (!(error instanceof IndexesError)) throw error;
    return [invalidValue(path, text, `error parsing ${String(path).split('.').at(-1) ?? ''}: ${error.message}`)];
  }
}
