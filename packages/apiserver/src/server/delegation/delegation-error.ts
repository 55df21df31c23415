import { StatusError } from '@kubechain/apimachinery';

/** The 503 of a link that cannot be reached; clients retry after a second. */
export function unreachableStatus(name: string, reason: string): StatusError {
  return new StatusError({
    status: 'Failure',
    message: `error trying to reach ${name}: ${reason}`,
    reason: 'ServiceUnavailable',
    details: { retryAfterSeconds: 1 },
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
