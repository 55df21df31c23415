import { StatusError } from '@kubechain/apimachinery';
import type { Relay } from './relay.ts';

/** The 503 of a link that cannot be reached; clients retry after a second. */
export function unreachableStatus(name: string, reason: string): StatusError {
  return serviceUnavailable(name, reason, { retryAfterSeconds: 1 });
}

/**
 * The 503 for a relay whose target has not answered. Only where nothing can have come of the request it says when to
 * retry: client-go sends whatever has Retry-After again by itself (rest/with_retry.go), and what it deletes or creates
 * a second time is not found, or there already.
 */
export function unansweredStatus(name: string, { request, sent }: Relay, error: Error): StatusError {
  const reason = reachError(error);
  const changesNothing = request.method === 'GET' || request.method === 'HEAD';
  return sent && !changesNothing ? serviceUnavailable(name, reason) : unreachableStatus(name, reason);
}

function serviceUnavailable(
  name: string,
  reason: string,
  details?: { readonly retryAfterSeconds: number },
): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `error trying to reach ${name}: ${reason}`,
    reason: 'ServiceUnavailable',
    ...(details === undefined ? {} : { details }),
    code: 503,
  });
}

/** Why a link could not be reached, in words. */
export function reachError(error: Error): string {
  const { code } = error as { readonly code?: unknown };
  switch (code) {
    case 'ENOENT':
    case 'ECONNREFUSED':
      return 'connection refused';
    case 'ETIMEDOUT':
      return 'connection timed out';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'connection lost';
    default:
      return error.message;
  }
}
