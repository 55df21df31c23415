import { byteLength, invalidValue, isQualifiedName, required, tooLong } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/** Bytes of all keys and values. */
const maxSize = 256 * 1024;
/** Number of parameters; the reference's answer calls it bytes. */
const maxCount = 512;

/**
 * Who makes volumes: a qualified name, whatever its case (validateProvisioner of pkg/apis/storage/validation, 1.36).
 */
export function validateProvisioner(name: string | undefined, path: FieldPath): FieldError[] {
  if (name === undefined || name === '') return [required(path)];
  const lower = name.toWellFormed().toLowerCase();
  return isQualifiedName(lower).map((message) => invalidValue(path, lower, message));
}

/** What a class tells who makes its volumes (validateParameters). */
export function validateParameters(
  parameters: Readonly<Record<string, string>> = {},
  path: FieldPath,
  { allowEmpty }: { readonly allowEmpty: boolean },
): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > maxCount) return [tooLong(path, maxCount)];
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...('' in parameters ? [invalidValue(path, '', 'field can not be empty.')] : []),
    ...(size > maxSize ? [tooLong(path, maxSize)] : []),
    ...(allowEmpty || entries.length > 0 ? [] : [required(path, 'must contain at least one key/value pair')]),
  ];
}
