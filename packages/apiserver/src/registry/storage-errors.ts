import { StatusError, alreadyExists, conflict, internalError, notFound, serverTimeout } from '@kubechain/apimachinery';
import type { GroupResource } from '@kubechain/apimachinery';
import { isStorageError } from '@kubechain/shared-storage';
import type { StorageError } from '@kubechain/shared-storage';

/** What was being done when storage failed. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'watch';

/**
 * The API error for a failure of storage; anything that is not a StorageError comes back unchanged. The only place
 * where storage errors become Status (apiserver/pkg/storage/errors and pkg/storage/etcd3's own API errors).
 */
export function interpretStorageError(error: unknown, operation: StorageOperation, resource: GroupResource, name: string): unknown {
  if (!isStorageError(error)) return error;
  switch (error.code) {
    case 'KeyNotFound': return notFound(resource, operation === 'list' ? '' : name);
    case 'KeyExists': return operation === 'create' ? alreadyExists(resource, name) : conflictOf(error, resource, name);
    case 'ResourceVersionConflicts':
    case 'InvalidObject': return conflictOf(error, resource, name);
    case 'Unreachable':
      return serverTimeout(resource, operation, 2);
    case 'Timeout': return serverTimeout(resource, operation, error.retryAfterSeconds ?? 2);
    case 'CorruptObject':
    case 'Internal':
    case 'Aborted': return internalError(error);
    case 'ResourceExpired': return expired(error);
    case 'TooLargeResourceVersion': return tooLarge(error);
    case 'InvalidContinue':
    case 'InvalidResourceVersion': return new StatusError({ status: 'Failure', code: 400, reason: 'BadRequest', message: error.message }, { cause: error });
    case 'NotReady': return notReady(error);
    default: return error.code satisfies never;
  }
}

function conflictOf(error: StorageError, resource: GroupResource, name: string): StatusError {
  return conflict(resource, name, error.message);
}

function expired(error: StorageError): StatusError {
  return new StatusError({ status: 'Failure', code: 410, reason: 'Expired', message: error.message, ...(error.continue === undefined ? {} : { metadata: { continue: error.continue } }) }, { cause: error });
}

function tooLarge(error: StorageError): StatusError {
  return new StatusError({
    status: 'Failure', code: 504, reason: 'Timeout', message: error.message,
    details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }], retryAfterSeconds: error.retryAfterSeconds ?? 1 },
  }, { cause: error });
}

function notReady(error: StorageError): StatusError {
  return new StatusError({ status: 'Failure', code: 429, reason: 'TooManyRequests', message: error.message, details: { retryAfterSeconds: error.retryAfterSeconds ?? 1 } }, { cause: error });
}
