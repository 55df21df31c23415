import { invalidValue, isStandardFinalizer, validateFinalizers } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/**
 * What is wrong with the name of one finalizer outside metadata (validateFinalizerName of pkg/apis/core/validation,
 * 1.36).
 */
export function validateFinalizerName(path: FieldPath, name: string): FieldError[] {
  const errors = validateFinalizers([name], path);
  if (!name.includes('/') && !isStandardFinalizer(name))
    errors.push(invalidValue(path, name, 'name is neither a standard finalizer name nor is it fully qualified'));
  return errors;
}
