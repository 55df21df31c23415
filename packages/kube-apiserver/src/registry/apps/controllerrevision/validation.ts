import { equalJSON, FieldPath, invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError, JSONValue } from '@kubechain/apimachinery';
import type { ControllerRevision } from '@kubechain/apimachinery/types/apps/v1';
import { nonNegative } from '../../validation/bounds.ts';

const dataPath = FieldPath.of('data');
const revisionPath = FieldPath.of('revision');

/**
 * Rules of new revisions: a state that can be gone back to (ValidateControllerRevisionCreate of
 * pkg/apis/apps/validation, 1.36).
 */
export function validateControllerRevision(revision: ControllerRevision): FieldError[] {
  const data: unknown = revision.data;
  const missing =
    data === undefined || data === null
      ? 'data is mandatory'
      : typeof data === 'object' && !Array.isArray(data)
        ? undefined
        : 'data must be a valid JSON object';
  return [
    ...nonNegative(revisionPath, revision.revision),
    ...(missing === undefined ? [] : [required(dataPath, missing)]),
  ];
}

/** The state never changes. */
export function validateControllerRevisionUpdate(revision: ControllerRevision, old: ControllerRevision): FieldError[] {
  // Of raw JSON, nothing is not the same as an empty object, nor that as an empty list.
  const changed = !equalJSON(rawOf(revision), rawOf(old));
  // The data is raw JSON: it is printed as it was given.
  return [
    ...nonNegative(revisionPath, revision.revision),
    ...(changed ? [invalidValue(dataPath, revision.data ?? null, 'field is immutable')] : []),
  ];
}

function rawOf({ data }: ControllerRevision): JSONValue | undefined {
  return (data as JSONValue | undefined) ?? undefined;
}
