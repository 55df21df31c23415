import type { IncomingMessage, ServerResponse } from 'node:http';
import { findRequestContext } from '../request/request-context.ts';
import { cutResponse } from './cut-response.ts';
import { writeTextError } from './write-text.ts';
import { Logger } from '../logging/logger.ts';
import type { Filter } from '../request/filter.ts';

const log = new Logger('server');

/**
 * What happens to an error that no one has handled: it is logged, and the client gets upstream's 500 text, or a cut
 * connection when the response has begun. Filters that continue asynchronously call it themselves.
 */
export function recoverFromPanic(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  log.error("apiserver panic'd", error instanceof Error ? (error.stack ?? error) : error, {
    method: request.method,
    URI: request.url,
    auditID: findRequestContext(request)?.auditID,
  });
  if (response.headersSent) {
    if (!response.writableEnded) cutResponse(response);
    return;
  }
  writeTextError(response, 500, 'This request caused apiserver to panic. Look in the logs for details.');
}

/** Outermost filter: a throw below it ends one request, never the process. */
export const panicRecovery: Filter = (request, response, next) => {
  // A response may be ended by the deadline while its handler still writes; that write must not become an uncaught
  // error.
  response.on('error', ignoreResponseError);
  try {
    next(request, response);
  } catch (error) {
    recoverFromPanic(request, response, error);
  }
};

function ignoreResponseError(this: ServerResponse, error: Error): void {
  if (log.enabled(4)) log.info('response error', { err: error.message }, 4);
}
