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

/** The object, or its resource, is not there (404). */
export const isNotFound = (error: unknown): error is StatusError => is(error, 'NotFound', 404);
/** The object is there already (409). */
export const isAlreadyExists = (error: unknown): error is StatusError => is(error, 'AlreadyExists');
/** The object has changed since it was read (409). */
export const isConflict = (error: unknown): error is StatusError => is(error, 'Conflict', 409);
/** The object does not keep to the rules of its kind (422). */
export const isInvalid = (error: unknown): error is StatusError => is(error, 'Invalid', 422);
/** What was asked for is no more, and will not be again (410). */
export const isGone = (error: unknown): error is StatusError => is(error, 'Gone', 410);
/** The resourceVersion, or the continue token, is too old (410). */
export const isResourceExpired = (error: unknown): error is StatusError => is(error, 'Expired');
/** The request cannot be understood (400). */
export const isBadRequest = (error: unknown): error is StatusError => is(error, 'BadRequest', 400);
/** Nobody knows who the caller is (401). */
export const isUnauthorized = (error: unknown): error is StatusError => is(error, 'Unauthorized', 401);
/** The user may not do this, or admission has refused it (403). */
export const isForbidden = (error: unknown): error is StatusError => is(error, 'Forbidden', 403);
/** The request's time was over (504). */
export const isTimeout = (error: unknown): error is StatusError => is(error, 'Timeout', 504);
/** The server could not do it in time and asks to be tried again (500, reason ServerTimeout). */
export const isServerTimeout = (error: unknown): error is StatusError => is(error, 'ServerTimeout');
/** The server is at fault (500). */
export const isInternalError = (error: unknown): error is StatusError => is(error, 'InternalError', 500);
/** The server, or one behind it, cannot answer now (503). */
export const isServiceUnavailable = (error: unknown): error is StatusError => is(error, 'ServiceUnavailable', 503);
/** The resource does not know this verb (405). */
export const isMethodNotSupported = (error: unknown): error is StatusError => is(error, 'MethodNotAllowed', 405);
/** For this and the next the code alone is enough, whatever the reason. */
export const isTooManyRequests = (error: unknown): error is StatusError =>
  is(error, 'TooManyRequests') || (isStatusError(error) && error.code === 429);
/** The body is larger than the server takes (413). */
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
