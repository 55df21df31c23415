import { invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { semanticEqual } from '../semantic-equal.ts';
import { publishedForm } from './internal-form.ts';

/**
 * The error of a field that an update must not change; none if it did not (ValidateImmutableField of apimachinery,
 * 1.36).
 */
export function immutable(path: FieldPath | string, value: unknown, old: unknown): FieldError[] {
  return semanticEqual(value, old) ? [] : [invalidValue(path, publishedForm(value), 'field is immutable')];
}
