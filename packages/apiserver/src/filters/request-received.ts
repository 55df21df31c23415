import type { IncomingMessage } from 'node:http';
import type { Clock, Randomness } from '@kubechain/apimachinery';
import { setRequestContext } from '../request/request-context.ts';
import { ServerRequestContext } from '../request/server-request-context.ts';
import type { Filter } from '../request/filter.ts';
import { isHeartbeat } from './is-heartbeat.ts';
import type { WorkObserver } from '../watchdog/loop-watchdog.ts';

/** What the filter needs. */
export interface RequestReceivedOptions {
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Told of every request but heartbeats. */
  readonly watchdog: WorkObserver | undefined;
}

/**
 * Makes the request's context: reception time and audit id. The client's Audit-ID is kept as it is, and echoed
 * (apiserver/pkg/endpoints/filters/{request_received_time,audit_init}.go).
 */
export function requestReceived({ clock, randomness, watchdog }: RequestReceivedOptions): Filter {
  const { newUID, repeatable } = randomness;
  const newID =
    repeatable === undefined ? newUID : (request: IncomingMessage) => repeatable.of(purposeOf(request)).newUID();
  return (request, response, next) => {
    if (watchdog !== undefined && !isHeartbeat(request)) watchdog.attend();
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
