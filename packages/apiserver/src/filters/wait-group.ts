import { writeError } from '../responses/write-status.ts';
import type { Filter } from '../request/filter.ts';
import { closeConnectionAfter, shuttingDownStatus, type InFlightRequests } from './in-flight-requests.ts';
import { serverContext } from '../request/server-context.ts';

/**
 * Health and metrics stay readable while a server drains (upstream's isRequestExemptFromRetryAfter asks for loopback
 * and these paths).
 */
const exempt = /^\/(?:livez|healthz|readyz|metrics)(?:\/|$)/;

/**
 * Counts watches in, so that a shutdown can end them; refuses new ones while draining
 * (server/filters/watch_termination.go).
 */
export function watchTermination(inFlight: InFlightRequests): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    if (context.longRunning && !inFlight.add(context)) {
      closeConnectionAfter(response);
      writeError(request, response, shuttingDownStatus());
      return;
    }
    next(request, response);
  };
}

/**
 * Counts short requests in, so that a shutdown can wait for them; refuses new ones while draining
 * (server/filters/waitgroup.go).
 */
export function waitGroup(inFlight: InFlightRequests): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    if (!context.longRunning && !inFlight.add(context)) {
      closeConnectionAfter(response);
      if (!exempt.test(context.requestInfo.path)) {
        writeError(request, response, shuttingDownStatus());
        return;
      }
    }
    next(request, response);
  };
}
