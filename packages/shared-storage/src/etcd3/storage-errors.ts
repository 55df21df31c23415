import { isEtcdError } from '../etcd-client/etcd-error.ts';
import { messageOf } from '@kubechain/apimachinery';
import { StorageError, keyError } from '../storage/errors.ts';

/** The storage error for whatever an operation failed with: the one place where etcd's errors become the storage's. */
export function toStorageError(error: unknown, key: string): StorageError {
  if (error instanceof StorageError) return error;
  if (!isEtcdError(error)) return new StorageError('Internal', messageOf(error), { key, cause: error });
  switch (error.code) {
    case 'Unavailable':
      return new StorageError('Unreachable', error.message, {
        key,
        retryAfterSeconds: 2,
        notSent: error.notSent,
        cause: error,
      });
    case 'DeadlineExceeded':
      return new StorageError('Timeout', keyError('Timeout', key, error.message).message, {
        key,
        retryAfterSeconds: 1,
        cause: error,
      });
    case 'Cancelled':
      return new StorageError('Aborted', error.message, { key, cause: error });
    case 'Compacted':
      return new StorageError('ResourceExpired', 'The resourceVersion for the provided list is too old.', {
        key,
        cause: error,
      });
    case 'NoSpace':
    case 'RequestTooLarge':
      return new StorageError(error.code, error.message, { key, cause: error });
    case 'Internal':
      return new StorageError(error.message.startsWith(ownWords) ? 'Refused' : 'Internal', error.message, {
        key,
        cause: error,
      });
    case 'FutureRevision':
    case 'LeaseNotFound':
    case 'PermissionDenied':
    case 'InvalidArgument':
    case 'ResponseTooLarge':
      return new StorageError('Internal', error.message, { key, cause: error });
    default:
      return error.code satisfies never;
  }
}

/** How etcd begins what it refuses (api/v3/v3rpc/rpctypes/error.go): `etcdserver: corrupt cluster`. */
const ownWords = 'etcdserver: ';

/** Text of a watch that starts before the oldest revision kept (etcd3/errors.go). */
export const watchExpiredMessage = 'The resourceVersion for the provided watch is too old.';

/**
 * A revision that the store has not reached (storage.NewTooLargeResourceVersionError). Upstream's store names no time
 * to wait: 0.
 */
export function tooLargeResourceVersion(key: string, requested: number | string, current: number): StorageError {
  return new StorageError('TooLargeResourceVersion', `Too large resource version: ${requested}, current: ${current}`, {
    key,
    retryAfterSeconds: 0,
  });
}
