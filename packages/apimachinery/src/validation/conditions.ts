import { append } from '../object/append.ts';
import { byteLength } from '../errors/go-format.ts';
import type { FieldError } from '../errors/field-error.ts';
import { duplicate, invalidValue, notSupported, required, tooLong } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { isConditionReason, isQualifiedName } from './names.ts';
import { ageOfBuiltinRelease } from './release-age.ts';
import type { ReleaseAge } from './release-age.ts';

/** meta/v1 Condition as it stands in objects. */
export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const statuses = ['False', 'True', 'Unknown'];
const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;

/** Conditions, of which there is one of a type (meta/v1 validation ValidateConditions). */
export function validateConditions(
  conditions: readonly Condition[],
  path: FieldPath,
  release: ReleaseAge = ageOfBuiltinRelease,
): FieldError[] {
  const errors: FieldError[] = [];
  const types = new Set<string>();
  conditions.forEach((condition, i) => {
    const type = condition.type ?? '';
    if (types.has(type))
      errors.push(duplicate(release.since('1.37') ? path.index(i) : path.index(i).child('type'), type));
    types.add(type);
    append(errors, validateCondition(condition, path.index(i), release));
  });
  return errors;
}

/** One condition. */
export function validateCondition(
  condition: Condition,
  path: FieldPath,
  release: ReleaseAge = ageOfBuiltinRelease,
): FieldError[] {
  const isNew = release.since('1.37');
  const errors: FieldError[] = [];
  const { type = '', status = '', reason = '', message = '', observedGeneration = 0 } = condition;
  if (isNew && type === '') errors.push(required(path.child('type'), 'is required'));
  else for (const text of isQualifiedName(type)) errors.push(invalidValue(path.child('type'), type, text));
  if (isNew && status === '') errors.push(required(path.child('status')));
  else if (!statuses.includes(status)) errors.push(notSupported(path.child('status'), status, statuses));
  if (observedGeneration < 0)
    errors.push(
      invalidValue(path.child('observedGeneration'), observedGeneration, 'must be greater than or equal to zero'),
    );
  if (condition.lastTransitionTime === undefined || condition.lastTransitionTime === null)
    errors.push(required(path.child('lastTransitionTime')));
  if (reason === '') errors.push(required(path.child('reason')));
  else {
    for (const text of isConditionReason(reason)) errors.push(invalidValue(path.child('reason'), reason, text));
    if (byteLength(reason) > MAX_REASON) errors.push(tooLong(path.child('reason'), MAX_REASON));
  }
  if (byteLength(message) > MAX_MESSAGE) errors.push(tooLong(path.child('message'), MAX_MESSAGE));
  return errors;
}
