import { clientAddress } from '../request/client-address.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { Logger } from '../logging/logger.ts';

const log = new Logger('httplog');
/** Requests are logged from this verbosity on, as in upstream's httplog. */
const level = 3;

/** Logs one line per finished request at `-v=3`. */
export function logRequest(context: ServerRequestContext, durationMs: number): void {
  if (!log.enabled(level)) return;
  const { request, response, requestInfo } = context;
  log.info(
    'HTTP',
    {
      verb: requestInfo.verb,
      URI: request.url,
      latency: `${durationMs.toFixed(3)}ms`,
      userAgent: request.headers['user-agent'] ?? '',
      'audit-ID': context.auditID,
      srcIP: clientAddress(context),
      ...(context.impersonator === undefined ? {} : { impersonator: context.impersonator.name }),
      user: context.user.name,
      ...(context.span === undefined ? {} : { traceID: context.span.traceID }),
      ...(context.delegate === '' ? {} : { delegate: context.delegate }),
      resp: response.statusCode,
    },
    level,
  );
}
