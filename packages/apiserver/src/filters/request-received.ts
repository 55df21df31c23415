import type { IncomingMessage } from 'node:http';
import type { Clock, Randomness } from '@kubechain/apimachinery';
import { setRequestContext } from '../request/request-context.ts';
import { ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter } from '../request/filter.ts';

/**
 * Makes the request's context: reception time and audit id. The client's Audit-ID is kept as it is, and echoed
 * (apiserver/pkg/endpoints/filters/{request_received_time,audit_init}.go).
 */
export function requestReceived(clock: Clock, { newUID, repeatable }: Randomness): Filter {
  const newID =
    repeatable === undefined ? newUID : (request: IncomingMessage) => repeatable.of(purposeOf(request)).newUID();
  return (request, response, next) => {
    const header = request.headers['audit-id'];
    const auditID = typeof header === 'string' && header !== '' ? header : newID(request);
    setRequestContext(
      request,
      new ServerRequestContext(request, response, { auditID, receivedAtMs: clock.now(), startedAt: performance.now() }),
    );
    response.setHeader('Audit-Id', auditID);
    next(request, response);
  };
}

/** What of a request does not depend on when it comes, and on what comes beside it. */
function purposeOf({ headers, method, url }: IncomingMessage): string {
  return `audit ${method} ${url} ${headers['user-agent']}`;
}
