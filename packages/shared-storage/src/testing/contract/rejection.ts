import { assert } from 'chai';
import { isStorageError } from '../../storage/errors.ts';
import type { StorageError, StorageErrorCode } from '../../storage/errors.ts';

/** The StorageError that a promise rejects with; fails when it resolves, or rejects otherwise. */
export async function rejection(promise: Promise<unknown>, code: StorageErrorCode): Promise<StorageError> {
  try {
    await promise;
  } catch (error) {
    if (!isStorageError(error)) throw error;
    assert.equal(error.code, code, error.message);
    return error;
  }
  return assert.fail(`expected StorageError ${code}, but the call succeeded`);
}
