import { writeError } from '../responses/write-status.ts';
import { writeTextError } from '../responses/write-text.ts';
import type { Filter } from '../request/filter.ts';
import { closeConnectionAfter, shuttingDownStatus, type InFlightRequests } from './in-flight-requests.ts';
import { serverContext } from '../request/server-context.ts';

/**
 * Health and metrics stay readable while a server drains (upstream's isRequestExemptFromRetryAfter asks for loopback
 * and these paths).
 */
const exempt = /^\/(?:livez|healthz|readyz|metrics)(?:\/|$)/;

/**
 * Sends clients of a stopping server elsewhere (server/filters/with_retry_after.go, 1.36). For
 * --shutdown-send-retry-after.
 */
export function retryAfter(inFlight: InFlightRequests): Filter {
  return (request, response, next) => {
    const { requestInfo } = serverContext(request);
    if (!inFlight.draining || exempt.test(requestInfo.path)) {
      next(request, response);
      return;
    }
    closeConnectionAfter(response);
    response.setHeader('Retry-After', '5');
    writeTextError(response, 429, 'The apiserver is shutting down, please try again later.');
  };
}

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
