import { StatusError, alreadyExists, conflict, internalError, notFound, timeoutError } from '@kubechain/apimachinery';
import type { GroupResource } from '@kubechain/apimachinery';
import { isStorageError } from '@kubechain/shared-storage';
import type { StorageError, StorageErrorOf } from '@kubechain/shared-storage';

/** What was being done when storage failed. */
export type StorageOperation = 'get' | 'list' | 'create' | 'update' | 'delete' | 'watch';

/**
 * The API error for a failure of storage; anything that is not a StorageError comes back unchanged. The only place
 * where storage errors become Status (apiserver/pkg/storage/errors and pkg/storage/etcd3's own API errors).
 */
export function interpretStorageError(
  error: unknown,
  operation: StorageOperation,
  resource: GroupResource,
  name: string,
): unknown {
  if (!isStorageError(error)) return error;
  switch (error.code) {
    case 'KeyNotFound':
      return notFound(resource, operation === 'list' ? '' : name);
    case 'KeyExists':
      return operation === 'create' ? alreadyExists(resource, name) : conflictOf(error, resource, name);
    case 'ResourceVersionConflicts':
    case 'InvalidObject':
      return conflictOf(error, resource, name);
    case 'Unreachable':
    case 'Timeout':
      return unanswered(operation, error);
    // Upstream's decoders fail with plain errors, which only a watch wraps.
    case 'CorruptObject':
      return error.undecodable === true && operation !== 'watch' ? error : internalError(error);
    // etcd's own errors, which upstream lets pass as they are.
    case 'RequestTooLarge':
    case 'NoSpace':
    case 'Refused':
      return error;
    case 'StoreReadError':
      return storeReadError(error, resource);
    case 'Internal':
    case 'Aborted':
      return internalError(error);
    case 'ResourceExpired':
      return expired(error);
    case 'TooLargeResourceVersion':
      return tooLarge(error);
    case 'InvalidContinue':
      return invalidOption(error);
    case 'InvalidResourceVersion':
      return error.unparsed === true ? error : invalidOption(error);
    case 'NotReady':
      return notReady(error);
    default:
      return error satisfies never;
  }
}

/**
 * A store that does not answer. Upstream asks it until the request's time is over and says so then
 * (server/filters/timeout.go; endpoints/handlers/finisher for writes; an ERROR event of a watch). Here it is known
 * earlier, in the same words. A time after which it is worth another try is told only where nothing can have come of
 * the request: client-go sends it again by itself then.
 */
function unanswered(operation: StorageOperation, error: StorageErrorOf<'Unreachable' | 'Timeout'>): StatusError {
  const { retryAfterSeconds = 2 } = error;
  switch (operation) {
    case 'watch':
      return new StatusError({
        status: 'Failure',
        message: 'context deadline exceeded',
        reason: 'InternalError',
        code: 500,
      });
    case 'get':
    case 'list':
      return timeoutError('request did not complete within the allotted timeout', retryAfterSeconds);
    case 'create':
    case 'update':
    case 'delete':
      return timeoutError(
        'request did not complete within requested timeout - context deadline exceeded',
        error.code === 'Unreachable' && error.notSent === true ? retryAfterSeconds : 0,
      );
    default:
      return operation satisfies never;
  }
}

function invalidOption(error: StorageError): StatusError {
  return new StatusError(
    { status: 'Failure', code: 400, reason: 'BadRequest', message: error.message },
    { cause: error },
  );
}

function conflictOf(error: StorageError, resource: GroupResource, name: string): StatusError {
  return conflict(resource, name, error.message);
}

/**
 * Objects that cannot be read, each a cause (etcd3 aggregatedStorageError); without causes the last state of a deleted
 * one.
 */
function storeReadError(error: StorageErrorOf<'StoreReadError'>, resource: GroupResource): StatusError {
  const failure = { status: 'Failure', code: 500, reason: 'StorageReadError' } as const;
  const { unreadable } = error;
  if (unreadable === undefined) return new StatusError({ ...failure, message: error.message }, { cause: error });
  const { group } = resource;
  return new StatusError(
    {
      ...failure,
      message:
        `failed to read one or more ${group === '' ? resource.resource : `${resource.resource}.${group}`} from ` +
        'the storage',
      details: {
        name: 'list',
        ...(group === '' ? {} : { group }),
        kind: resource.resource,
        causes: unreadable.map(({ key, message }) =>
          key === undefined
            ? { reason: 'FieldValueTooMany', message }
            : { reason: 'UnexpectedServerResponse', message, field: key },
        ),
      },
    },
    { cause: error },
  );
}

function expired(error: StorageErrorOf<'ResourceExpired'>): StatusError {
  return new StatusError(
    {
      status: 'Failure',
      code: 410,
      reason: 'Expired',
      message: error.message,
      ...(error.continue === undefined ? {} : { metadata: { continue: error.continue } }),
    },
    { cause: error },
  );
}

function tooLarge(error: StorageErrorOf<'TooLargeResourceVersion'>): StatusError {
  return new StatusError(
    {
      status: 'Failure',
      code: 504,
      reason: 'Timeout',
      message: `Timeout: ${error.message}`,
      details: {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        // As Go leaves it out.
        ...(error.retryAfterSeconds === 0 ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
      },
    },
    { cause: error },
  );
}

function notReady(error: StorageErrorOf<'NotReady'>): StatusError {
  return new StatusError(
    {
      status: 'Failure',
      code: 429,
      reason: 'TooManyRequests',
      message: error.message,
      details: { retryAfterSeconds: error.retryAfterSeconds },
    },
    { cause: error },
  );
}
