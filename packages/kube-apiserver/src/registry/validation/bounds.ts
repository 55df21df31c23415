import { invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/** The error of a number that must not be negative (ValidateNonnegativeField of apimachinery, 1.36). */
export function nonNegative(path: FieldPath, value: number | undefined): FieldError[] {
  return value === undefined || value >= 0 ? [] : [invalidValue(path, value, 'must be greater than or equal to 0')];
}

/** The error of a number that must be positive. */
export function positive(path: FieldPath, value: number | undefined): FieldError[] {
  return value === undefined || value > 0 ? [] : [invalidValue(path, value, 'must be greater than 0')];
}
