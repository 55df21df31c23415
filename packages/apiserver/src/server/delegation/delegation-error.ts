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
