import { FormatError } from '../errors/format-error.ts';
import { canonicalTime } from '../meta/time.ts';
import { isPlainObject } from '../object/is-plain-object.ts';
import type { KubeObject } from '../object/object.ts';

/**
 * Whether an applied object says who manages its fields. Ones that cannot be read are none to upstream: what follows
 * tells what is wrong with them.
 */
export function hasManagedFields({ metadata }: KubeObject): boolean {
  const entries: unknown = metadata?.managedFields;
  return Array.isArray(entries) && entries.every(isManagedFieldsEntry);
}

function isManagedFieldsEntry(entry: unknown): boolean {
  if (!isPlainObject(entry)) return false;
  const { apiVersion, fieldsType, manager, operation, subresource, time } = entry;
  return (
    [apiVersion, fieldsType, manager, operation, subresource].every(
      (text) => text === undefined || text === null || typeof text === 'string',
    ) &&
    (time === undefined || time === null || isTime(time))
  );
}

function isTime(time: unknown): boolean {
  try {
    return typeof time === 'string' && canonicalTime(time) !== '';
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}
