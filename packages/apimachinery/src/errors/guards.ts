import { messageOf } from './message-of.ts';
import type { Status, StatusReason } from './status.ts';
import { StatusError } from './status.ts';

/** Reasons with a fixed meaning; for any other reason the HTTP code decides what an error is. */
const known = new Set<string>([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StorageReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
]);

/** Narrows to {@link StatusError}. */
export function isStatusError(error: unknown): error is StatusError {
  return error instanceof StatusError;
}

function is(error: unknown, reason: StatusReason, code?: number): error is StatusError {
  if (!isStatusError(error)) return false;
  return error.reason === reason || (code !== undefined && error.code === code && !known.has(error.reason));
}

export const isNotFound = (error: unknown): error is StatusError => is(error, 'NotFound', 404);
export const isAlreadyExists = (error: unknown): error is StatusError => is(error, 'AlreadyExists');
export const isConflict = (error: unknown): error is StatusError => is(error, 'Conflict', 409);
export const isInvalid = (error: unknown): error is StatusError => is(error, 'Invalid', 422);
export const isGone = (error: unknown): error is StatusError => is(error, 'Gone', 410);
export const isResourceExpired = (error: unknown): error is StatusError => is(error, 'Expired');
export const isBadRequest = (error: unknown): error is StatusError => is(error, 'BadRequest', 400);
export const isUnauthorized = (error: unknown): error is StatusError => is(error, 'Unauthorized', 401);
export const isForbidden = (error: unknown): error is StatusError => is(error, 'Forbidden', 403);
export const isTimeout = (error: unknown): error is StatusError => is(error, 'Timeout', 504);
export const isServerTimeout = (error: unknown): error is StatusError => is(error, 'ServerTimeout');
export const isInternalError = (error: unknown): error is StatusError => is(error, 'InternalError', 500);
export const isServiceUnavailable = (error: unknown): error is StatusError => is(error, 'ServiceUnavailable', 503);
export const isMethodNotSupported = (error: unknown): error is StatusError => is(error, 'MethodNotAllowed', 405);
/** For this and the next the code alone is enough, whatever the reason. */
export const isTooManyRequests = (error: unknown): error is StatusError =>
  is(error, 'TooManyRequests') || (isStatusError(error) && error.code === 429);
export const isRequestEntityTooLarge = (error: unknown): error is StatusError =>
  is(error, 'RequestEntityTooLarge') || (isStatusError(error) && error.code === 413);
/** A read of a resource version that is still to come. */
export const isTooLargeResourceVersion = (error: unknown): error is StatusError =>
  isStatusError(error) &&
  (error.status.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') ?? false);

/** Seconds that the error asks the client to wait; `undefined` when it asks nothing. */
export function suggestsClientDelay(error: unknown): number | undefined {
  if (!isStatusError(error) || error.status.details === undefined) return undefined;
  const seconds = error.status.details.retryAfterSeconds ?? 0;
  return error.reason === 'ServerTimeout' || seconds > 0 ? seconds : undefined;
}

/**
 * The Status body for anything thrown: a StatusError's own, else a 500 without a reason and with the error's
 * message (upstream ErrorToAPIStatus). The caller logs the latter: it is a bug that no layer mapped it.
 */
export function toStatus(error: unknown): Status {
  if (isStatusError(error)) return error.status;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: messageOf(error),
    code: 500,
  };
}
