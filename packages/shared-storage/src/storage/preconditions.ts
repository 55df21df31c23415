import type { StorageError } from './errors.ts';
import { keyError } from './errors.ts';
import type { ObjectRecord, Preconditions } from './interfaces.ts';
import { recordedUID } from './record-metadata.ts';

/**
 * The error when a record (undefined: no object) does not meet the preconditions, with upstream's text
 * (storage.Preconditions.Check).
 */
export function checkPreconditions(
  key: string,
  record: ObjectRecord | undefined,
  preconditions: Preconditions | undefined,
): StorageError | undefined {
  if (preconditions === undefined) return undefined;
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined) {
    const actual = record === undefined ? '' : recordedUID(record);
    if (actual !== uid)
      return keyError(
        'InvalidObject',
        key,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${actual}`,
      );
  }
  if (resourceVersion !== undefined) {
    const actual = record === undefined ? '' : String(record.revision);
    if (actual !== resourceVersion)
      return keyError(
        'InvalidObject',
        key,
        `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object ` +
          `meta: ${actual}`,
      );
  }
  return undefined;
}
