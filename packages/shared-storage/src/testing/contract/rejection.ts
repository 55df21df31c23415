import { expect } from 'chai';
import { isStorageError } from '../../storage/errors.ts';
import type { StorageErrorCode, StorageErrorOf } from '../../storage/errors.ts';

/** The StorageError that a promise rejects with; fails when it resolves, or rejects otherwise. */
export async function rejection<C extends StorageErrorCode>(
  promise: Promise<unknown>,
  code: C,
): Promise<StorageErrorOf<C>> {
  try {
    await promise;
  } catch (error) {
    if (!isStorageError(error)) throw error;
    if (isStorageError(error, code)) return error;
    expect.fail(`expected StorageError ${code}, but it is ${error.code}: ${error.message}`);
  }
  return expect.fail(`expected StorageError ${code}, but the call succeeded`);
}
