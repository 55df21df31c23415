import { FieldPath, forbiddenValue, invalidValue, isConfigMapKey, tooLong, wasEmptied } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ConfigMap } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';

/** The most that the values of a config map or secret may hold together, in bytes. */
export const maxDataSize = 1024 * 1024;

const dataPath = FieldPath.of('data');
const binaryPath = FieldPath.of('binaryData');

/** Rules of config maps (ValidateConfigMap of pkg/apis/core/validation, 1.36). */
export function validateConfigMap(map: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(map.data ?? {})) {
    for (const message of isConfigMapKey(key)) errors.push(invalidValue(dataPath.key(key), key, message));
    if (map.binaryData?.[key] !== undefined)
      errors.push(invalidValue(dataPath.key(key), key, 'duplicate of key present in binaryData'));
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(map.binaryData ?? {})) {
    for (const message of isConfigMapKey(key)) errors.push(invalidValue(binaryPath.key(key), key, message));
    size += base64Size(value);
  }
  // The reference gives the whole object an empty name, which prints as an empty subscript.
  if (size > maxDataSize) errors.push(tooLong(FieldPath.of(''), maxDataSize));
  return errors;
}

/** Bytes that base64 text stands for. */
export function base64Size(text: string): number {
  return Buffer.byteLength(text, 'base64');
}

/** What an update may not do; the new object's own rules follow. */
export function validateConfigMapChange(map: ConfigMap, old: ConfigMap): FieldError[] {
  return frozen(map, old, ['data', 'binaryData']);
}

/** Errors for changes of an object that was declared immutable. */
export function frozen<T extends { immutable?: boolean }>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const message = 'field is immutable when `immutable` is set';
  return [
    ...(object.immutable === true ? [] : [forbiddenValue('immutable', message)]),
    ...fields
      // Go tells a map without entries, as is given now and then, from none, as is stored.
      .filter((field) => !semanticEqual(object[field], old[field]) || wasEmptied(object, field))
      .map((field) => forbiddenValue(field, message)),
  ];
}
